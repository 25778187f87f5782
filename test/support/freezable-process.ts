import type { DatabaseProxy } from './database-proxy.js';
import { startDatabaseProxy } from './database-proxy.js';
import { newGate } from './gate.js';
import type { Installation, Role } from './installation.js';
import type { Statement } from './postgres-statements.js';
import type { ServiceProcess } from './service-process.js';

/** A process of Crosswalk on a way of its own to the database, which can stop it at any statement. */
export interface FreezableProcess {
  readonly service: ServiceProcess;
  readonly proxy: DatabaseProxy;
  /**
   * Stops the process (SIGSTOP) at the next statement for which `isIt` holds. `before`: the statement stays on the way
   * until the process is thawed, so PostgreSQL has done everything in front of it and nothing more. `after`:
   * PostgreSQL does it as well, and the process does not see the answer.
   */
  freezeAt(isIt: (statement: Statement) => boolean, when: 'before' | 'after'): Freeze;
  /** The transactions that it commits while `run` takes, each as the texts of its statements. */
  transactionsDuring(run: () => Promise<unknown>): Promise<(readonly string[])[]>;
}

export interface Freeze {
  /** Resolves when the process stands still. */
  readonly frozen: Promise<void>;
  /** Lets it go on, from wherever it is. */
  thaw(): Promise<void>;
}

export async function startFreezableProcess(
  crosswalk: Installation,
  role: Role,
  databaseUrl: string,
): Promise<FreezableProcess> {
  const proxy = await startDatabaseProxy(databaseUrl);
  const service = await crosswalk.startProcess(role, { DATABASE_URL: proxy.url });
  return {
    service,
    proxy,
    freezeAt: (isIt, when) => {
      const frozen = newGate();
      const thawed = newGate();
      proxy.watch((statement) => {
        if (!isIt(statement)) return undefined;
        proxy.watch(undefined);
        // The signal is on its way before the statement is, so the process never learns what came of it.
        void service.kill('SIGSTOP').then(() => frozen.open());
        return when === 'before' ? thawed.opened : undefined;
      });
      return {
        frozen: frozen.opened,
        thaw: async () => {
          proxy.watch(undefined);
          await service.kill('SIGCONT');
          thawed.open();
        },
      };
    },
    transactionsDuring: async (run) => {
      const transactions: (readonly string[])[] = [];
      proxy.watch(({ text, transaction }) => {
        if (text === 'COMMIT') transactions.push(transaction);
        return undefined;
      });
      await run();
      proxy.watch(undefined);
      return transactions;
    },
  };
}
