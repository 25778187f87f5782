import { isSecret } from '../condition.js';
import type { EventRule, LinkRule, WebhookRule } from '../contract.js';
import { isSamePlace, type Selector } from '../selector.js';
import { selectorsOf, type Template } from '../template.js';
import { checkHash } from './check-hash.js';
import { checkRuleAgainstEventType } from './check-rule-against-event-type.js';
import { checkRuleIsReached } from './check-rule-is-reached.js';
import { checkRuleTransition } from './check-rule-transition.js';
import { requireKnownName } from './known-name.js';
import type { Place } from './place.js';
import { readAnswerRule } from './read-answer-rules.js';
import { readCompletionRule } from './read-completion-rule.js';
import { readConditions } from './read-conditions.js';
import { readInstantSource } from './read-instant-source.js';
import { readPointer } from './read-pointer.js';
import { readSelector } from './read-selector.js';
import { readIdentifyingTemplate, readTemplate, readTemplateWithHole } from './read-template.js';
import type { Reading } from './reading.js';

/** Stands in for a template that could not be read; a contract with one is never used. */
const UNREAD: Template = { source: '', parts: [] };

/** What rules have to respect of the system that they belong to. */
export interface RuleLimits {
  readonly system: string;
  /** Names of headers that carry a credential, in lower case. */
  readonly credentials: readonly string[];
  /** Systems whose ids it may link: its own, and those in `may_link`. */
  readonly linkable: readonly string[];
}

export function readWebhookRules(
  reading: Reading,
  place: Place | undefined,
  { system, credentials, linkable }: RuleLimits,
): readonly WebhookRule[] {
  const places = (place?.items() ?? []).filter((rule) => !isNotice(rule));
  const rules = places.map((rule) => readWebhookRule(reading, system, rule));
  checkRuleIsReached(reading, places, rules);
  places.forEach((rule) => {
    refuseCredentials(reading, rule, (part) => isCredential(part, credentials, rules));
    refuseLinks(reading, rule, linkable);
  });
  return rules;
}

/** Notices are not there yet, which the schema says; they lack everything that an event has. */
function isNotice(rule: Place): boolean {
  return rule.has('notice') && !rule.has('event_type');
}

function readWebhookRule(reading: Reading, system: string, place: Place): WebhookRule {
  if (place.has('completes')) return readCompletionRule(reading, system, place);
  return place.has('answer') ? readAnswerRule(reading, place) : readEventRule(reading, place);
}

function readEventRule(reading: Reading, place: Place): EventRule {
  checkRuleAgainstEventType(reading, place);
  checkRuleTransition(reading, place);
  const entity = place.at('entity');
  const each = readPointer(reading, place.at('each'));
  const system = entity?.at('system')?.text();
  const internalId = readTemplateWithHole(reading, entity?.at('internal_id'));
  const version = readTemplateWithHole(reading, place.at('version'));
  const occurredAt = readInstantSource(reading, place.at('occurred_at'));
  const correlationId = readTemplateWithHole(reading, place.at('correlation_id'));
  const state = readTemplate(reading, place.at('state'));
  const expectedState = readTemplate(reading, place.at('expected_current_state'));
  const payload = readPayload(reading, place.at('payload'));
  const rule: EventRule = {
    kind: 'event',
    ...(each && { each }),
    when: readConditions(reading, place.at('when')),
    eventType: place.at('event_type')?.text() ?? '',
    idempotencyKey: readIdentifyingTemplate(reading, place.at('idempotency_key')) ?? UNREAD,
    entityType: readTemplate(reading, entity?.at('type')) ?? UNREAD,
    ...(isKnownSystem(reading, entity?.at('system')) && system !== undefined && { entitySystem: system }),
    externalId: readIdentifyingTemplate(reading, entity?.at('external_id')) ?? UNREAD,
    ...(internalId && { internalId }),
    links: (place.at('links')?.items() ?? []).flatMap((link) => readLink(reading, link) ?? []),
    ...(version && { version }),
    ...(occurredAt && { occurredAt }),
    ...(correlationId && { correlationId }),
    ...(state && { state }),
    ...(expectedState && { expectedState }),
    ...(payload && { payload }),
  };
  checkHash(reading, place, rule);
  return rule;
}

function readPayload(reading: Reading, place: Place | undefined): Selector | undefined {
  const selector = readSelector(reading, place);
  if (place !== undefined && selector !== undefined && !('pointer' in selector)) {
    reading.mistakes.atValue(place, `\`${selector.source}\` is text; the payload is a JSON object in the body`);
  }
  return selector;
}

function isKnownSystem(reading: Reading, place: Place | undefined): boolean {
  const name = place?.text();
  return place !== undefined && name !== undefined && requireKnownName(reading, place, name, 'systems');
}

function readLink(reading: Reading, place: Place): LinkRule | undefined {
  const isKnown = isKnownSystem(reading, place.at('system'));
  const externalId = readIdentifyingTemplate(reading, place.at('external_id'));
  const system = place.at('system')?.text();
  return isKnown && system !== undefined && externalId !== undefined ? { system, externalId } : undefined;
}

/** Every event of the rule would be a question for a person. */
function refuseLinks(reading: Reading, rule: Place, linkable: readonly string[]): void {
  const owner = rule.at('entity')?.at('system');
  const systems = [owner, ...(rule.at('links')?.items() ?? []).map((link) => link.at('system'))];
  if (!rule.has('links')) return;
  for (const place of systems) {
    const name = place?.text();
    if (place === undefined || name === undefined || linkable.includes(name)) continue;
    reading.mistakes.atValue(place, `the ids of \`${name}\` may be linked only where it stands under \`may_link\``);
  }
}

/** What became part of a key or an id would stand in answers, logs and the console. */
function refuseCredentials(reading: Reading, rule: Place, isRefused: (place: Selector) => boolean): void {
  for (const part of textsIn(rule)) {
    const template = readTemplate(reading, part);
    const shown = (template === undefined ? [] : selectorsOf(template)).find(isRefused);
    if (shown)
      reading.mistakes.atValue(part, `\`{${shown.source}}\` is a credential, which may become part of nothing`);
  }
}

/** A header of the system's own scheme, or a place that a condition compares with a secret. */
function isCredential(place: Selector, headers: readonly string[], rules: readonly WebhookRule[]): boolean {
  if (place.kind === 'header' && headers.includes(place.name)) return true;
  const compared = rules.flatMap(({ when }) => when.filter(({ test }) => isSecret(test)));
  return compared.some((condition) => isSamePlace(condition.place, place));
}

function textsIn(place: Place): readonly Place[] {
  if (place.text() !== undefined) return [place];
  const members = place.entries().flatMap(([key, member]) => (key === 'when' ? [] : [member]));
  return [...members, ...place.items()].flatMap(textsIn);
}
