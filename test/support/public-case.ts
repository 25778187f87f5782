import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from './random-from.js';

/** An event in the neutral words of the public cases. */
export interface NeutralEvent {
  readonly entity: string;
  readonly id: string | number | null;
  readonly event: string;
  readonly version: string | number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Text with places such as `{k}`, or a text that is made: `{ "$gen": "alnum", "len": 255, "seed": 1 }`. */
type Template = Readonly<Record<string, unknown>>;

interface Step {
  readonly as?: string;
  readonly body?: Template;
  readonly raw_utf8?: string;
  readonly template?: Template;
  readonly rows?: readonly (readonly unknown[])[];
  readonly bodies?: readonly string[];
  readonly items?: readonly Template[] | Range;
  readonly steps?: readonly Step[];
}

interface Range {
  readonly $range: readonly [number, number];
  readonly item: Template;
  readonly patch?: Readonly<Record<string, Template>>;
}

/** One of the public acceptance cases in `test/cases/`; its events are taken from there by the names of its steps. */
export class PublicCase {
  private readonly sequence: readonly Step[];

  constructor(id: string) {
    const file = join(process.cwd(), 'test', 'cases', `${id}.json`);
    this.sequence = (JSON.parse(readFileSync(file, 'utf8')) as { sequence: Step[] }).sequence;
  }

  /** The body of one delivery, byte for byte where the case says so. */
  body(as: string, places: Readonly<Record<string, string>> = {}): string {
    const { raw_utf8: raw, body, template } = this.step(as);
    return raw ?? JSON.stringify(fill(body ?? template ?? {}, places));
  }

  /** The bodies of a step that lists them: as they stand, or one for each row of a table. */
  bodies(as: string): string[] {
    const { bodies, rows, template } = this.step(as);
    if (bodies !== undefined) return [...bodies];
    return (rows ?? []).map((row) => {
      const places = row.map((value, at): [string, string] => [String(at), String(generated(value) ?? value)]);
      return JSON.stringify(fill(template ?? {}, Object.fromEntries(places)));
    });
  }

  /** The events of a batch. */
  items(as: string, places: Readonly<Record<string, string>> = {}): NeutralEvent[] {
    const { items = [] } = this.step(as);
    if (!('$range' in items)) return items.map((item) => fill(item, places));
    const { $range, item, patch = {} } = items;
    const [from, to] = $range;
    const indexes = Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => (from <= to ? from + at : from - at));
    return indexes.map((k) => ({ ...fill(item, { ...places, k: String(k) }), ...patch[String(k)] }));
  }

  private step(as: string): Step {
    const find = (steps: readonly Step[]): Step | undefined => {
      for (const step of steps) {
        const found = step.as === as ? step : find(step.steps ?? []);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    const step = find(this.sequence);
    if (step === undefined) throw new Error(`The case has no step ${as}.`);
    return step;
  }
}

/**
 * The protocol's envelope of a neutral event, under the key that the webhook rules of the public cases' contract make
 * of the same body; so that it is the same fact by either way.
 */
export function envelopeOf(event: NeutralEvent): Readonly<Record<string, unknown>> {
  const part = (value: unknown): string => String(value).replaceAll('%', '%25').replaceAll(':', '%3A');
  return {
    idempotency_key: `${part(event.event)}:${part(event.id)}:v${part(event.version)}`,
    event_type: `${event.entity}.changed`,
    entity: { type: event.entity, external_id: event.id },
    version: event.version,
    payload: event,
  };
}

function fill(template: Template, places: Readonly<Record<string, string>>): NeutralEvent {
  const text = JSON.stringify(template, (_name, value: unknown) => generated(value) ?? value);
  const filled = text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = places[name];
    return value === undefined ? place : JSON.stringify(value).slice(1, -1);
  });
  return JSON.parse(filled) as NeutralEvent;
}

function generated(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('$gen' in value)) return undefined;
  const { len, seed, suffix = '' } = value as unknown as { len: number; seed: number; suffix?: string };
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  const random = randomFrom(seed);
  const text = Array.from({ length: len - suffix.length }, () => letters.charAt(random(letters.length))).join('');
  return text + suffix;
}
