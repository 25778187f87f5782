import { there } from '../inbox/inbox.service.js';
export const here = there;
