import type { Mistake, Position } from '../mistake.js';
import type { Place } from './place.js';

/** Collects the mistakes of one file. */
export class Mistakes {
  private readonly found = new Map<string, Mistake>();

  /** Something wrong with a value. Only the first complaint counts: a later one would be its consequence. */
  atValue(place: Place, message: string): void {
    this.add(`value ${place.path}`, { kind: 'mistake', ...place.position, path: place.path, message });
  }

  /** Something wrong with a key, or missing from the block that it opens. */
  atKey(place: Place, message: string): void {
    this.add(`key ${place.path} ${message}`, { kind: 'mistake', ...place.keyPosition, path: place.path, message });
  }

  /** Something that no value stands for, such as a syntax error. */
  atPosition(position: Position, message: string): void {
    this.add(`at ${position.line}:${position.column}`, { kind: 'mistake', ...position, path: '', message });
  }

  /** Something that may be meant as it stands, and therefore refuses nothing. */
  warn(place: Place, message: string): void {
    this.add(`warning ${place.path} ${message}`, { kind: 'warning', ...place.position, path: place.path, message });
  }

  unsetVariable(place: Place, name: string): void {
    const message = `the environment variable ${name} is not set`;
    this.add(`value ${place.path}`, { kind: 'unset_environment', ...place.position, path: place.path, message });
  }

  inFileOrder(): readonly Mistake[] {
    return [...this.found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
  }

  private add(identity: string, mistake: Mistake): void {
    if (!this.found.has(identity)) this.found.set(identity, mistake);
  }
}
