/** Ends the repetition and waits for a run that is under way. */
export type StopPeriodic = () => Promise<void>;

/**
 * Runs `task` again and again, `periodMs` after the former run ended, so that runs never overlap. A run that throws
 * is reported and the next one comes all the same: a database that is away for a minute must not end a sweep for good.
 */
export function periodically(
  periodMs: number,
  task: () => Promise<void>,
  report: (error: unknown) => void,
): StopPeriodic {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      await task();
    } catch (error) {
      report(error);
    }
    schedule();
  };
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      current = run();
    }, periodMs);
  };
  schedule();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await current;
  };
}
