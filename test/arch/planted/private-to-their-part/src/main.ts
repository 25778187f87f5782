import { there } from './flow/inbox/inbox.table.js';
export const here = there;
