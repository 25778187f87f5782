export { answer } from './answer.js';
