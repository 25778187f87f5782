import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a statement begins in this code base: a string or template that opens with SQL's own words, in capitals. */
const STATEMENT =
  /[`'"]\s*(SELECT|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|WITH\s+\w+.*\bAS\b|(CREATE|ALTER|DROP)\s+[A-Z]+|TRUNCATE|LOCK\s+TABLE|LISTEN|NOTIFY|SET\s+LOCAL)\b/;

/** The files below `src/` of this folder that hold SQL although they are no `*.sql.ts`, with the line. */
export function findStraySql(folder: string): string[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.sql.ts') && !file.endsWith('.spec.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(folder, 'src', file), 'utf8');
      const found = STATEMENT.exec(text);
      return found === null ? [] : [`src/${file}:${text.slice(0, found.index).split('\n').length}`];
    });
}
