import { there } from '../work/claim.js';
export const here = there;
