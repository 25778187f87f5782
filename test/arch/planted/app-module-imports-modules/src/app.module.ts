import { there } from './flow/inbox/inbox.service.js';
export const here = there;
