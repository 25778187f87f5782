import { there } from '../id-map/resolve.js';
export const here = there;
