import { randomBytes } from 'node:crypto';

/** The tokens and sessions that a system has given out. */
export class Tickets {
  private readonly goodUntil = new Map<string, number>();
  private given = 0;

  constructor(private readonly now: () => number) {}

  issue(livesMs: number = Number.POSITIVE_INFINITY): string {
    const ticket = randomBytes(18).toString('base64url');
    this.goodUntil.set(ticket, this.now() + livesMs);
    this.given += 1;
    return ticket;
  }

  isGood(ticket: string | undefined): boolean {
    return ticket !== undefined && this.now() < (this.goodUntil.get(ticket) ?? Number.NEGATIVE_INFINITY);
  }

  /** How many were ever issued: how often somebody logged in. */
  get issued(): number {
    return this.given;
  }

  /** Ends every ticket, whatever was said about its time. Returns how many were still good. */
  revokeAll(): number {
    const good = [...this.goodUntil.keys()].filter((ticket) => this.isGood(ticket)).length;
    this.goodUntil.clear();
    return good;
  }

  /** For a fresh start: nothing given, nothing good. */
  clear(): void {
    this.goodUntil.clear();
    this.given = 0;
  }
}
