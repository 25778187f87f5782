import { fc } from 'fast-check';
export const here = fc;
