import { there } from '../parking/park.js';
export const here = there;
