import type { FieldRule } from '../../domain/contract/contract.js';
import { latestIn, type ClockTree } from '../../domain/field-clock.js';
import type { Json } from '../../domain/json/json.js';
import {
  NO_REFERENCES,
  type DatedReferences,
  type RecordReference,
  type RecordReferences,
} from '../../domain/record-references.js';
import { EMPTY_RECORD, type SourceRecord } from '../../domain/source-record.js';
import type { HeldRecord } from '../entities/held-entities.js';
import type { EventToDecide, Strategy } from '../strategies/decision.js';
import { mergePatchOf, patchOfFields, type Patch } from '../strategies/patch-places.js';
import type { EventRules } from './event-to-decide.js';
import type { EventToProcess } from './event-to-process.js';

/** The entities that an event names, by the path of the rule that says so. */
export type NamedReferences = ReadonlyMap<string, readonly RecordReference[]>;

export interface ReferencesToDecide extends EventRules {
  readonly event: EventToProcess;
  readonly named: NamedReferences;
  /** As the strategy sees the event's data. */
  readonly toDecide: EventToDecide;
  readonly current: HeldRecord | undefined;
  readonly strategy: Strategy;
}

/**
 * The references of a record after an event. They are decided as if they were fields of the record, one for each rule,
 * by the strategy that decides its data: so they go where the data goes, whatever the order in which events come. The
 * very map that was held comes back where nothing changes.
 */
export function decideReferences(asked: ReferencesToDecide): RecordReferences {
  const { named, toDecide, current, strategy } = asked;
  const held = current?.references ?? NO_REFERENCES;
  const isWhole = asked.eventType.strategy === 'overwrite';
  const spoken = isWhole ? [...named.keys()] : spokenRules(asked);
  if (spoken.length === 0 && (!isWhole || held.size === 0)) return held;
  const fields = new Map<string, Json>(spoken.map((rule) => [rule, SAID]));
  const decision = strategy({ ...toDecide, fields, shares: new Map() }, asRecord(held, current));
  if (decision.kind !== 'apply') return held;
  const { data, clocks } = decision.record;
  const decided = [...data].map(([rule, whose]): [string, DatedReferences] => [
    rule,
    {
      references: (whose === SAID ? named.get(rule) : held.get(rule)?.references) ?? [],
      clock: clocks.members.get(rule)?.written,
    },
  ]);
  return new Map(decided.filter(([, { references, clock }]) => references.length > 0 || clock !== undefined));
}

/** In place of what the event, or an earlier one, says by a rule: the strategies only need to know whose it is. */
const SAID = 'said';
const HELD = 'held';

/** As new, as deleted and as patched as the record itself, with the references in place of its data. */
function asRecord(held: RecordReferences, current: HeldRecord | undefined): SourceRecord {
  if (current === undefined) return EMPTY_RECORD;
  const { orderValue, occurredAt, contentHash, isTombstone } = current;
  const opened = latestIn(current.clocks);
  const members = new Map(
    [...held].flatMap(([rule, { clock: written }]): [string, ClockTree][] =>
      written === undefined ? [] : [[rule, { written, members: new Map() }]],
    ),
  );
  return {
    ...EMPTY_RECORD,
    ...{ orderValue, occurredAt, contentHash, isTombstone },
    data: new Map<string, Json>([...held.keys()].map((rule) => [rule, HELD])),
    clocks: opened === undefined ? { members } : { opened, members },
  };
}

/**
 * The rules that a patch speaks about: it writes their place, or something above or below it. Rules of other event
 * types as well: by a type without the rule nothing that is written there is a reference.
 */
function spokenRules({ event, eventType, entityType, contract, toDecide }: ReferencesToDecide): readonly string[] {
  const patchOf = eventType.strategy === 'merge' ? mergePatchOf : patchOfFields;
  const [ofPayload, ofFields] = [patchOf(event.payload), patchOf(toDecide.fields)];
  const fieldRules = contract.systems.get(event.source)?.ingest?.fields.get(event.entity.type);
  return [...contract.eventTypes.values()]
    .filter(({ entity }) => entity === entityType.name || entity === '*')
    .flatMap(({ references }) => references)
    .filter(
      ({
        path: {
          stretches: [steps = []],
        },
      }) => {
        const place = placeInRecord(steps, fieldRules);
        // What no field keeps is patched as if the payload's names were kept.
        return place === undefined ? speaksAbout(ofPayload, steps) : speaksAbout(ofFields, place);
      },
    )
    .map(({ path }) => path.source);
}

function placeInRecord(
  steps: readonly string[],
  rules: readonly FieldRule[] | undefined,
): readonly string[] | undefined {
  if (rules === undefined) return steps;
  const rule = rules.find(({ pointer }) => startsWith(steps, pointer.steps));
  return rule && [rule.field, ...steps.slice(rule.pointer.steps.length)];
}

/** Whether the patch writes the place, something above it, or something below. */
function speaksAbout(patch: Patch, [step, ...rest]: readonly string[]): boolean {
  if ('value' in patch || step === undefined) return true;
  const below = patch.get(step);
  return below !== undefined && speaksAbout(below, rest);
}

function startsWith(steps: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((step, at) => steps[at] === step);
}
