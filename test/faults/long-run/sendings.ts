import type { Fact } from '../checker/fact.js';
import { oneOf, shuffled } from './shuffle.js';
import type { Random } from './shuffle.js';

const COPIES_PER_CENT = 30;

/** One sending of one fact: the text of an envelope. */
export interface Sending {
  readonly fact: Fact;
  readonly text: string;
}

/** How many distinct facts there are among so many sendings. */
export function distinctAmong(sendings: number): number {
  return Math.ceil((sendings * (100 - COPIES_PER_CENT)) / 100);
}

/** Every fact once and copies of some of them, in any order; a copy may be printed differently, as by another language. */
export function sendingsOf(facts: readonly Fact[], count: number, random: Random): Sending[] {
  const copies = Array.from({ length: count - facts.length }, () => oneOf(facts, random));
  return shuffled([...facts, ...copies], random).map((fact) => ({ fact, text: printed(fact, random) }));
}

function printed(fact: Fact, random: Random): string {
  const turned = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, member]) => [name, turned(member)]),
        )
      : value;
  return random(2) === 0 ? JSON.stringify(fact) : JSON.stringify(turned(fact), undefined, 1);
}
