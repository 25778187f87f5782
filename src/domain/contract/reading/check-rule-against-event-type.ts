import { namesIn, requireKnownName } from './known-name.js';
import { ANY_ENTITY } from './merge-blocks.js';
import type { Place } from './place.js';
import { isComposedByTime, orderOf } from './read-entity-types.js';
import type { Reading } from './reading.js';

/** A rule must name an event type, agree with its entity type, and give the part that orders the record. */
export function checkRuleAgainstEventType(reading: Reading, rule: Place): void {
  const literal = literalEntityType(reading, rule);
  const namePlace = rule.at('event_type');
  const name = namePlace?.text();
  if (namePlace === undefined || name === undefined) return;
  if (!requireKnownName(reading, namePlace, name, 'events')) return;
  const eventType = reading.root.at('events')?.at(name);
  const declared = eventType?.at('entity')?.text();
  if (declared === undefined) return;
  const place = rule.at('entity')?.at('type');
  if (place !== undefined && literal !== undefined && declared !== ANY_ENTITY && literal !== declared) {
    reading.mistakes.atValue(place, `\`${name}\` is about \`${declared}\`, this rule says \`${literal}\``);
  }
  const verb = VERBS.get(eventType?.at('strategy')?.text() ?? '');
  if (verb === undefined) return;
  const entityType = declared === ANY_ENTITY ? literal : declared;
  checkOrderPart(reading, rule, { eventType: name, verb, entityType });
  if (entityType === undefined || orderOf(reading, entityType) === 'occurred_at' || rule.has('occurred_at')) return;
  if (!isComposedByTime(reading, entityType)) return;
  const message = `\`occurred_at\` is missing: \`${entityType}\` has fields that the \`latest\` event wins`;
  reading.mistakes.atKey(rule, message);
}

/** Strategies that need an order value, in words. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['overwrite', 'overwrites'],
  ['merge', 'merges'],
]);

/** The entity type that the rule names; undefined for a template, or an unknown one, which is complained about. */
function literalEntityType(reading: Reading, rule: Place): string | undefined {
  const place = rule.at('entity')?.at('type');
  const text = place?.text();
  if (place === undefined || text === undefined || /[{}]/.test(text)) return undefined;
  return requireKnownName(reading, place, text, 'entities') ? text : undefined;
}

interface Ordered {
  readonly eventType: string;
  readonly verb: string;
  /** Undefined where the body says it: then a part that orders some entity type is enough. */
  readonly entityType: string | undefined;
}

function checkOrderPart(reading: Reading, rule: Place, { eventType, verb, entityType }: Ordered): void {
  const candidates = entityType === undefined ? namesIn(reading, 'entities') : [entityType];
  const orders = new Set(candidates.map((name) => orderOf(reading, name)));
  if (orders.has(undefined)) return;
  orders.delete('arrival');
  if ([...orders].some((order) => order !== undefined && rule.has(order))) return;
  const parts = [...orders].map((order) => `\`${String(order)}\``).join(' or ');
  const subject = entityType === undefined ? 'the entity types are' : `\`${entityType}\` is`;
  if (orders.size > 0) {
    reading.mistakes.atKey(rule, `${parts} is missing: \`${eventType}\` ${verb}, and ${subject} ordered by it`);
  } else if (
    verb === 'overwrites' &&
    entityType !== undefined &&
    reading.root.at('events')?.at(eventType)?.at('entity')?.text() === ANY_ENTITY
  ) {
    reading.mistakes.atKey(
      rule,
      `\`${eventType}\` overwrites, which \`${entityType}\` cannot take: it is ordered by arrival`,
    );
  }
}
