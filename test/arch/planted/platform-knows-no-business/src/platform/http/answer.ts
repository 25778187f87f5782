import { there } from '../../flow/inbox/verdict.js';
export const here = there;
