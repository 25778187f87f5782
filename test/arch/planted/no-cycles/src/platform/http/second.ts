import { first } from './first.js';
export const second = (): unknown => first;
