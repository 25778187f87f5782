import type { GuardEntry } from './guard-store.js';

const GROUP_MAX = 500;
/** More than this is forgotten: a guard that knows less only spares less. */
const WAITING_MAX = 5_000;

/** Writes in the background what the guard is to remember, one group at a time. Nobody waits for it and it never fails. */
export class GuardWriter {
  private waiting: GuardEntry[] = [];
  private isWriting = false;

  constructor(private readonly write: (entries: readonly GuardEntry[]) => Promise<unknown>) {}

  add(entry: GuardEntry): void {
    if (this.waiting.length >= WAITING_MAX) return;
    this.waiting.push(entry);
    if (this.waiting.length === 1) setImmediate(() => void this.writeAll());
  }

  private async writeAll(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.length > 0) await this.writeGroup(this.waiting.splice(0, GROUP_MAX));
    this.isWriting = false;
  }

  private async writeGroup(group: readonly GuardEntry[]): Promise<void> {
    try {
      await this.write(group);
    } catch {
      // The link has reported it. What was not written is asked of the database, as if there were no guard.
    }
  }
}
