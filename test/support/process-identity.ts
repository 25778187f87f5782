import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A name for this very process, `<pid>-<start time>`, or undefined when no such process lives. A number alone would
 * name a stranger as soon as the system gives it out again, and tests end processes by these names.
 */
export function identifyProcess(pid: number): string | undefined {
  try {
    return `${pid}-${readStartTime(pid)}`;
  } catch {
    return undefined;
  }
}

/** The pid in a name that `identifyProcess` gave, if that process still lives. */
export function findLivingProcess(identity: string): number | undefined {
  const pid = Number.parseInt(identity, 10);
  return identifyProcess(pid) === identity ? pid : undefined;
}

function readStartTime(pid: number): string {
  if (process.platform === 'linux') {
    // proc(5): the 22nd field; the second is the command in parentheses and can itself hold blanks and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') throw new Error('A zombie has ended; only its parent has not noticed yet.');
    return fields[18] ?? '';
  }
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).replace(/\W+/g, '_');
}
