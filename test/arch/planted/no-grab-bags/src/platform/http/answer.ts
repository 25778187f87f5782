import { there } from '../utils/text.js';
export const here = there;
