import { there } from '../inbox/inbox.sql.js';
export const here = there;
