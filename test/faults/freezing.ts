import { startFreezableProcess } from '../support/freezable-process.js';
import type { Freeze, FreezableProcess } from '../support/freezable-process.js';
import { Installation } from '../support/installation.js';
import type { Role } from '../support/installation.js';
import { sharedRedisUrl } from '../support/shared-redis.js';

export interface FreezingOptions {
  /** Path from the root of the repository. */
  readonly contract: string;
  /** Processes that are never frozen nor held. */
  readonly roles: readonly Role[];
  readonly victim: Role;
  /** What does the work while the victim is frozen. */
  readonly bystander: Role;
}

/** What one round does; its id makes what it is about its own. */
export interface Round {
  /** What must be there before; every process takes part. */
  readonly prepare?: (id: string) => Promise<unknown>;
  /** Gives the victim the work, with the bystander held. What it resolves to is given to the others. */
  readonly begin: (id: string) => Promise<string>;
  /** What shows that the victim has done it where it was not frozen; by default that nothing is left to do. */
  readonly isDone?: (id: string, begun: string) => Promise<unknown>;
  /** What happens and must be seen while the victim is frozen. */
  readonly meanwhile: (id: string, begun: string) => Promise<unknown>;
  /** What must be true when it was thawed and nothing is left to do. */
  readonly atTheEnd: (id: string, begun: string) => Promise<unknown>;
}

/**
 * Freezes a process at each step of a transaction, with all its locks held, and does not thaw it before another has
 * done everything: its work, and further work on the same entities and names.
 */
export class Freezing {
  private rounds = 0;

  private constructor(
    readonly crosswalk: Installation,
    readonly victim: FreezableProcess,
    readonly bystander: FreezableProcess,
  ) {}

  static async start({ contract, roles, victim, bystander }: FreezingOptions): Promise<Freezing> {
    let database = '';
    const crosswalk = await Installation.start({
      contract,
      roles,
      redisUrl: sharedRedisUrl(),
      databaseUrl: (url) => (database = url),
    });
    const start = async (role: Role): Promise<FreezableProcess> => startFreezableProcess(crosswalk, role, database);
    return new Freezing(crosswalk, ...(await Promise.all([start(victim), start(bystander)])));
  }

  async stop(): Promise<void> {
    await this.victim.service.kill('SIGCONT');
    this.bystander.proxy.letGo();
    await this.crosswalk.stop();
    for (const { proxy } of [this.victim, this.bystander]) await proxy.close();
  }

  /**
   * One round for each step of the transaction: before each statement but BEGIN, and after COMMIT.
   *
   * @returns the number of rounds
   */
  async freezeAtEachStep(isIt: (texts: string) => boolean, round: Round): Promise<number> {
    const texts = await this.learnTransaction(isIt, round);
    const steps = [...texts.keys()].slice(1).map((at) => ({ at, when: 'before' as const }));
    for (const step of [...steps, { at: texts.length - 1, when: 'after' as const }]) {
      const upToHere = texts.slice(0, step.at + 1).join('\n');
      const id = this.nextId();
      await round.prepare?.(id);
      this.bystander.proxy.hold();
      const freeze = this.victim.freezeAt(({ transaction }) => transaction.join('\n') === upToHere, step.when);
      const begun = await round.begin(id);
      await freeze.frozen;
      this.bystander.proxy.letGo();
      await this.end(round, id, begun, freeze).catch((cause: unknown) => {
        throw new Error(`Frozen ${step.when} statement ${step.at}: ${texts[step.at]}`, { cause });
      });
    }
    return steps.length + 1;
  }

  /** A round without a freeze: the victim does the work, the bystander held, and shows its transaction. */
  private async learnTransaction(isIt: (texts: string) => boolean, round: Round): Promise<readonly string[]> {
    const id = this.nextId();
    await round.prepare?.(id);
    this.bystander.proxy.hold();
    let begun = '';
    const transactions = await this.victim.transactionsDuring(async () => {
      begun = await round.begin(id);
      await (round.isDone?.(id, begun) ?? this.crosswalk.idle());
    });
    this.bystander.proxy.letGo();
    await this.end(round, id, begun);
    const found = transactions.find((texts) => isIt(texts.join('\n')));
    if (found === undefined) throw new Error(`No such transaction among ${JSON.stringify(transactions)}`);
    return found;
  }

  private async end(round: Round, id: string, begun: string, freeze?: Freeze): Promise<void> {
    try {
      await round.meanwhile(id, begun);
    } finally {
      await freeze?.thaw();
    }
    await this.crosswalk.idle();
    await round.atTheEnd(id, begun);
  }

  private nextId(): string {
    this.rounds += 1;
    return `F-${this.rounds}`;
  }
}
