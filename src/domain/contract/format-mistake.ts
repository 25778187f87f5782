import type { Mistake } from './mistake.js';

/** One line that editors and terminals turn into a link: `FILE:LINE:COL path: message`. */
export function formatMistake(file: string, mistake: Mistake): string {
  const place = `${file}:${mistake.line}:${mistake.column}`;
  return mistake.path === '' ? `${place} ${mistake.message}` : `${place} ${mistake.path}: ${mistake.message}`;
}
