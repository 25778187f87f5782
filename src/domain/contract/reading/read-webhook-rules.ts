import type { Condition, WebhookRule } from '../contract.js';
import { plainNumber } from '../../json/canonical-number.js';
import type { Template } from '../template.js';
import { checkRuleAgainstEventType } from './check-rule-against-event-type.js';
import { checkRuleIsReached } from './check-rule-is-reached.js';
import type { Place } from './place.js';
import { readPointerKey } from './read-pointer.js';
import { readIdentifyingTemplate, readTemplate, readTemplateWithHole } from './read-template.js';
import { variableFault } from './read-variable.js';
import type { Reading } from './reading.js';

/** Stands in for a template that could not be read; a contract with one is never used. */
const UNREAD: Template = { source: '', parts: [] };

export function readWebhookRules(reading: Reading, place: Place | undefined): readonly WebhookRule[] {
  const places = place?.items() ?? [];
  const rules = places.map((rule) => readWebhookRule(reading, rule));
  checkRuleIsReached(reading, places, rules);
  return rules;
}

function readWebhookRule(reading: Reading, place: Place): WebhookRule {
  checkRuleAgainstEventType(reading, place);
  const entity = place.at('entity');
  const version = readTemplateWithHole(reading, place.at('version'));
  const occurredAt = readTemplateWithHole(reading, place.at('occurred_at'));
  const correlationId = readTemplateWithHole(reading, place.at('correlation_id'));
  return {
    when: readConditions(reading, place.at('when')),
    eventType: place.at('event_type')?.text() ?? '',
    idempotencyKey: readIdentifyingTemplate(reading, place.at('idempotency_key')) ?? UNREAD,
    entityType: readTemplate(reading, entity?.at('type')) ?? UNREAD,
    externalId: readIdentifyingTemplate(reading, entity?.at('external_id')) ?? UNREAD,
    ...(version && { version }),
    ...(occurredAt && { occurredAt }),
    ...(correlationId && { correlationId }),
  };
}

function readConditions(reading: Reading, place: Place | undefined): readonly Condition[] {
  return (place?.entries() ?? []).flatMap(([key, values]) => {
    const pointer = readPointerKey(reading, values, key);
    const anyOf = values.oneOrMore().flatMap((value) => readConditionValue(reading, value));
    return pointer === undefined ? [] : { pointer, anyOf };
  });
}

/** The texts that the value may have: a number's own spelling, and the one that every number of a body gets. */
function readConditionValue(reading: Reading, place: Place): readonly string[] {
  const text = place.spelling();
  if (text === undefined) return [];
  const fault = variableFault(text);
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  const isJsonNumber = place.number() !== undefined && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
  return isJsonNumber ? [...new Set([text, plainNumber(text)])] : [text];
}
