import { there } from '../../operations/alerts/alert.js';
export const here = there;
