import { there } from '../../../test/support/eventually.js';
export const here = there;
