import type { MergeRule } from '../contract.js';
import { namesIn } from './known-name.js';
import { ANY_ENTITY, mergeBlocksOf, mergeRuleWords } from './merge-blocks.js';
import type { Place } from './place.js';
import { readPointer } from './read-pointer.js';
import type { Reading } from './reading.js';

const PLAIN_RULES = ['union', 'max', 'min', 'latest'] as const;

/** The rules of an event type, with a complaint about each that no event can feed or that contradicts another one. */
export function readMergeRules(reading: Reading, eventType: Place, entity: string): Map<string, MergeRule> {
  const rules = new Map<string, MergeRule>();
  for (const [field, place] of eventType.at('merge')?.entries() ?? []) {
    const rule = readMergeRule(reading, place);
    if (rule === undefined) continue;
    rules.set(field, rule);
    checkAgainstOthers(reading, { field, place, rule }, entity);
    if (rule.kind !== 'sum') checkIsGiven(reading, { field, place, rule }, entity);
  }
  return rules;
}

interface PlacedRule {
  readonly field: string;
  readonly place: Place;
  readonly rule: MergeRule;
}

function readMergeRule(reading: Reading, place: Place): MergeRule | undefined {
  const id = place.at('append_unique_by')?.text();
  if (id !== undefined) return { kind: 'append_unique_by', id };
  const pointer = readPointer(reading, place.at('sum'));
  if (pointer !== undefined) return { kind: 'sum', pointer };
  const kind = PLAIN_RULES.find((word) => place.has(word));
  return kind && { kind };
}

/** Sums may take their number from another place in each event type; everything else has to be the same. */
function checkAgainstOthers(reading: Reading, { field, place, rule }: PlacedRule, entity: string): void {
  const entityTypes = entity === ANY_ENTITY ? namesIn(reading, 'entities') : [entity];
  const places = entityTypes
    .flatMap((name) => mergeBlocksOf(reading.root, name))
    .flatMap((block) => block.at(field) ?? []);
  const former = places.find((other) => isBefore(other, place) && mergeRuleWords(other) !== mergeRuleWords(place));
  if (former === undefined) return;
  const line = String(former.position.line);
  reading.mistakes.atKey(place, `\`${field}\` has another rule in line ${line}; \`${rule.kind}\` contradicts it`);
}

function isBefore({ position: a }: Place, { position: b }: Place): boolean {
  return a.line === b.line ? a.column < b.column : a.line < b.line;
}

/** Where every sender's payload is mapped, a field that no map names never comes. */
function checkIsGiven(reading: Reading, { field, place }: PlacedRule, entity: string): void {
  if (entity === ANY_ENTITY) return;
  const senders =
    reading.root
      .at('systems')
      ?.entries()
      .flatMap(([, system]) => system.at('ingest') ?? []) ?? [];
  const maps = senders.map((ingest) => ingest.at('fields')?.at(entity));
  if (maps.length === 0 || maps.some((map) => map === undefined || map.has(field))) return;
  reading.mistakes.atKey(place, `no system's \`fields\` gives a \`${entity}\` the field \`${field}\``);
}
