import { there } from './nowhere.js';
export const here = there;
