import { keyScope } from '../../business-key.js';
import type { ChangeKind, DangerousChange, Stored } from '../contract-change.js';
import { mergeBlocksOf, mergeRuleWords } from '../reading/merge-blocks.js';
import type { Place } from '../reading/place.js';
import { readNormalize } from '../reading/read-normalize.js';
import { compareStates } from './compare-states.js';
import { pairItems } from './pair-items.js';
import { shown, written } from './written.js';

/**
 * The differences that contradict what is stored: one fact would become two, two would become one, or states of which
 * the newer is known could no longer be told apart, or what a field grew to would be begun anew. What is added or taken away contradicts nothing: only what both
 * contracts say, and say differently; and a state that is taken away, because an entity may be in it.
 */
export function compareIdentities(before: Place, after: Place): readonly DangerousChange[] {
  return RULES.flatMap((rule) => rule(before, after));
}

/** Each finds the differences of one kind; a further kind is one more of these. */
const RULES: readonly ((before: Place, after: Place) => readonly DangerousChange[])[] = [
  compareWebhookRules,
  compareScopes,
  compareNormalization,
  compareOrders,
  compareMergeRules,
  compareStates,
];

function compareWebhookRules(before: Place, after: Place): readonly DangerousChange[] {
  return inBoth(before, after, 'systems').flatMap(([system, former, newer]) =>
    pairItems(rulesOf(former), rulesOf(newer)).pairs.flatMap(([formerRule, newerRule]) =>
      compareRule({ system, formerRule, newerRule, before }),
    ),
  );
}

interface RulePair {
  readonly system: string;
  readonly formerRule: Place;
  readonly newerRule: Place;
  /** The whole former contract. */
  readonly before: Place;
}

function compareRule({ system, formerRule, newerRule, before }: RulePair): readonly DangerousChange[] {
  const eventType = formerRule.at('event_type')?.text() ?? '';
  const keys = { kind: 'keys', scopes: [keyScope(system, eventType, sharedScope(before, eventType))] } as const;
  const entity = [formerRule.at('entity'), newerRule.at('entity')] as const;
  const entityType = entity[0]?.at('type')?.text();
  const ids = { kind: 'ids', system, ...(isFixed(entityType) && { entityType }) } as const;
  return [
    ...differing('event_type', keys, formerRule.at('event_type'), newerRule.at('event_type')),
    ...differing('key_template', keys, formerRule.at('idempotency_key'), newerRule.at('idempotency_key')),
    ...differing('id_template', ids, entity[0]?.at('type'), entity[1]?.at('type')),
    ...differing('id_template', ids, entity[0]?.at('external_id'), entity[1]?.at('external_id')),
    ...differingOwner(system, ids, entity[0], entity[1]),
  ];
}

/** Whose ids a rule reads; where it does not say so, the sender's own. */
function differingOwner(
  sender: string,
  endangers: Stored,
  former: Place | undefined,
  newer: Place | undefined,
): readonly DangerousChange[] {
  const [before, after] = [former, newer].map((entity) => entity?.at('system')?.text() ?? sender);
  if (newer === undefined || before === undefined || after === undefined || before === after) return [];
  const { path, position } = newer.at('system') ?? newer;
  return [{ kind: 'id_template', path, position, before, after, endangers }];
}

/** Rooms for keys are named after all systems that share one, so that a further system is another room for all. */
function compareScopes(before: Place, after: Place): readonly DangerousChange[] {
  const sources = before.at('systems')?.keys() ?? [];
  return inBoth(before, after, 'events').flatMap(([eventType, former, newer]) => {
    const [formerShared, newerShared] = [sharedScope(before, eventType), sharedScope(after, eventType)];
    const left = sources
      .map((source) => [keyScope(source, eventType, formerShared), keyScope(source, eventType, newerShared)] as const)
      .flatMap(([formerRoom, newerRoom]) => (formerRoom === newerRoom ? [] : [formerRoom]));
    if (left.length === 0) return [];
    const standing = newer.at('scope')?.at('shared') ?? newer.at('scope');
    const change: DangerousChange = {
      kind: 'scope',
      path: standing?.path ?? former.at('scope')?.path ?? newer.path,
      position: (standing ?? newer).position,
      before: JSON.stringify(formerShared),
      after: JSON.stringify(newerShared),
      endangers: { kind: 'keys', scopes: [...new Set(left)] },
    };
    return [change];
  });
}

function compareNormalization(before: Place, after: Place): readonly DangerousChange[] {
  return inBoth(before, after, 'systems').flatMap(([system, former, newer]) => {
    const formerSteps = readNormalize(former.at('external_ids'));
    const newerSteps = readNormalize(newer.at('external_ids'));
    if (formerSteps.join() === newerSteps.join()) return [];
    const standing = newer.at('external_ids')?.at('normalize') ?? newer.at('external_ids');
    const change: DangerousChange = {
      kind: 'normalization',
      path: standing?.path ?? former.at('external_ids')?.path ?? newer.path,
      position: (standing ?? newer).position,
      before: JSON.stringify(formerSteps),
      after: JSON.stringify(newerSteps),
      endangers: { kind: 'ids', system, normalize: newerSteps },
    };
    return [change];
  });
}

/** Versions, times and arrivals are numbers of different sizes: one kind is always newer than the other. */
function compareOrders(before: Place, after: Place): readonly DangerousChange[] {
  return inBoth(before, after, 'entities').flatMap(([entityType, former, newer]) =>
    differing('order', { kind: 'records', entityType }, former.at('order_by'), newer.at('order_by')),
  );
}

/**
 * What a rule remembers of a field means nothing to another rule, which begins anew. A field is the same whichever
 * event type it grows by.
 */
function compareMergeRules(before: Place, after: Place): readonly DangerousChange[] {
  return inBoth(before, after, 'entities').flatMap(([entityType]) => {
    const formerRules = mergeRulesOf(before, entityType);
    return [...mergeRulesOf(after, entityType)].flatMap(([field, newer]) => {
      const former = formerRules.get(field);
      if (former === undefined || mergeRuleWords(former) === mergeRuleWords(newer)) return [];
      return differing('merge_rule', { kind: 'merged', entityType, field }, former, newer);
    });
  });
}

/** By field; event types of one entity type agree on them. */
function mergeRulesOf(contract: Place, entityType: string): ReadonlyMap<string, Place> {
  return new Map(mergeBlocksOf(contract, entityType).flatMap((block) => block.entries()));
}

function differing(
  kind: ChangeKind,
  endangers: Stored,
  before: Place | undefined,
  after: Place | undefined,
): readonly DangerousChange[] {
  if (before === undefined || after === undefined || written(before) === written(after)) return [];
  const { path, position } = after;
  return [{ kind, path, position, before: shown(before), after: shown(after), endangers }];
}

/** The members of a section that both contracts have. */
function inBoth(before: Place, after: Place, section: string): readonly (readonly [string, Place, Place])[] {
  return (after.at(section)?.entries() ?? []).flatMap(([name, newer]) => {
    const former = before.at(section)?.at(name);
    return former === undefined ? [] : [[name, former, newer] as const];
  });
}

function rulesOf(system: Place): readonly Place[] {
  return system.at('ingest')?.at('webhooks')?.items() ?? [];
}

function sharedScope(contract: Place, eventType: string): readonly string[] {
  const shared = contract.at('events')?.at(eventType)?.at('scope')?.at('shared');
  return (shared?.items() ?? []).flatMap((system) => system.text() ?? []);
}

/** A type that each body says itself has a hole. */
function isFixed(template: string | undefined): template is string {
  return template !== undefined && !template.includes('{');
}
