import { there } from '../entities/entity.js';
export const here = there;
