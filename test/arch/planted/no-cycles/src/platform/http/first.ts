import { second } from './second.js';
export const first = (): unknown => second;
