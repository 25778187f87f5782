import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { composeKey, linkSubject } from '../../domain/business-key.js';
import { normalizeExternalId } from '../../domain/external-id.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import type { NewConflict } from '../conflicts/conflicts.service.js';
import { LeaseLost } from '../work/work.js';
import { PendingCreateService, type Place } from '../id-map/pending-create.service.js';
import type { Attempt, AttemptEnd, AttemptFailed } from './attempt.js';
import { readCreatedId, readFound } from './read-external-id.js';
import { TargetClient } from './target-client.js';
import { TargetSession } from './target-session.js';

/**
 * The calls that bring one target to an entity's newest revision: an update where the target knows the entity, else a
 * create. A create is three-valued; after an unknown one we look before we create again.
 */
@Injectable()
export class BringUpToDate {
  constructor(
    private readonly pendingCreates: PendingCreateService,
    private readonly client: TargetClient,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws LeaseLost when the attempt's time is over before its calls are */
  async run(attempt: Attempt): Promise<AttemptEnd> {
    const session = new TargetSession(this.client, this.clock, attempt);
    const place: Place = { internalId: attempt.internalId, entityType: attempt.entityType, system: attempt.target };
    const mapping = await this.pendingCreates.reserve(place);
    if (mapping.external_id !== null) {
      return this.update(attempt, session, mapping.raw_external_id ?? mapping.external_id);
    }
    const isUnknown = mapping.state === 'creating' || mapping.state === 'unknown';
    const landed = isUnknown
      ? await this.lookThenCreate(attempt, session, place)
      : await this.create(attempt, session, place);
    if (landed.kind === 'failed') return landed;
    if (!landed.mayBeOld) return { kind: 'reached', externalId: landed.externalId };
    const end = await this.update(attempt, session, landed.externalId);
    return landed.conflict === undefined ? end : { ...end, conflict: landed.conflict };
  }

  private async update(attempt: Attempt, session: TargetSession, externalId: string): Promise<AttemptEnd> {
    const { update } = attempt.entityRules;
    // A target that takes creates only has what it wants.
    if (update === undefined) return { kind: 'reached', externalId };
    const answer = await session.update(update, externalId);
    return answer.kind === 'failed' ? answer : { kind: 'reached', externalId };
  }

  private async lookThenCreate(
    attempt: Attempt,
    session: TargetSession,
    place: Place,
  ): Promise<Landed | AttemptFailed> {
    const { find } = attempt.entityRules;
    if (find === undefined) {
      const detail = `A create at ${place.system} has an unknown end and the contract declares no \`find\`.`;
      return refused('create.unknown', detail);
    }
    const answer = await session.find(find);
    const found = readFound(answer, find);
    // Looking changes nothing, however it ends.
    if (found.kind === 'failed') return { ...found, mayHaveArrived: false };
    if (found.ids.length > 1) {
      const detail = `${String(found.ids.length)} records at ${place.system} carry our reference.`;
      return { ...refused('create.ambiguous', detail), conflict: severalFound(place, found.ids) };
    }
    const [only] = found.ids;
    if (only !== undefined) return this.link(attempt, place, only, true);
    // Nothing there: create again, with the key of the first attempt. What an idempotent target then answers may be
    // the record of that first attempt, so it is brought up to date afterwards.
    return this.create(attempt, session, place, true);
  }

  private async create(
    attempt: Attempt,
    session: TargetSession,
    place: Place,
    mayBeOld = false,
  ): Promise<Landed | AttemptFailed> {
    const { create } = attempt.entityRules;
    if (create === undefined) {
      const detail = `The contract declares no \`create\` of ${place.entityType} at ${place.system}.`;
      return refused('target.unmappable', detail);
    }
    if (!(await this.pendingCreates.mark(place, attempt.fence, 'creating'))) return this.linkedMeanwhile(place);
    const answer = await session.create(create);
    const created = readCreatedId(answer, create);
    if (created.kind === 'id') return this.link(attempt, place, created.externalId, mayBeOld);
    // Frozen past its lease, this process no longer knows how things stand: `creating` makes the next one look.
    if (performance.now() >= attempt.deadlineMs) throw new LeaseLost([attempt.internalId]);
    await this.pendingCreates.mark(place, attempt.fence, stateAfter(created, mayBeOld));
    // The state of the mapping remembers what is unknown; no update was sent that could still come too late.
    return { ...created, mayHaveArrived: false };
  }

  /** Somebody wrote the id back while we were about to create, or a later claim has the create in hand. */
  private async linkedMeanwhile(place: Place): Promise<Landed | AttemptFailed> {
    const mapping = await this.pendingCreates.reserve(place);
    const externalId = mapping.raw_external_id ?? mapping.external_id;
    if (externalId !== null) return { kind: 'landed', externalId, mayBeOld: true };
    const detail = 'The mapping changed while the create began.';
    return { kind: 'failed', code: 'target.failed', detail, class: 'retryable', mayHaveArrived: false };
  }

  private async link(
    attempt: Attempt,
    place: Place,
    rawExternalId: string,
    mayBeOld: boolean,
  ): Promise<Landed | AttemptFailed> {
    const id = normalizeExternalId(rawExternalId, attempt.externalIdRules);
    if (id.kind === 'unusable') return unusableId(place, id.problem);
    const { externalId } = id;
    const linked = await this.pendingCreates.link(place, { externalId, rawExternalId });
    switch (linked.kind) {
      case 'linked':
        return { kind: 'landed', externalId: rawExternalId, mayBeOld };
      case 'place_taken': {
        const conflict = rivalLink(place, externalId, linked.externalId);
        return { kind: 'landed', externalId: linked.externalId, mayBeOld: true, conflict };
      }
      case 'id_taken': {
        // Looked for again before anything else is created: a record with our reference exists by now.
        await this.pendingCreates.mark(place, attempt.fence, 'unknown');
        const detail = `${place.system} answered with ${externalId}, which belongs to another entity.`;
        return { ...refused('create.rival', detail), conflict: rivalLink(place, externalId, null) };
      }
    }
  }
}

/** What was unknown before this create stays unknown, whatever became of it: the first one may still land. */
function stateAfter(created: AttemptFailed, wasUnknown: boolean): 'unknown' | 'blocked' | 'due' {
  if (created.mayHaveArrived || wasUnknown) return 'unknown';
  return created.class === 'final' ? 'blocked' : 'due';
}

/** The target has a record of the entity. */
interface Landed {
  readonly kind: 'landed';
  /** As the target spells it. */
  readonly externalId: string;
  /** What the record says may be older than what we wanted to say. */
  readonly mayBeOld: boolean;
  readonly conflict?: NewConflict;
}

/** Nobody can tell by such an id whether the record exists: it is looked for again. */
function unusableId({ system }: Place, problem: string): AttemptFailed {
  const detail = `The id that ${system} gave ${problem}.`;
  return { kind: 'failed', code: 'target.unreadable', detail, class: 'retryable', mayHaveArrived: false };
}

function refused(code: AttemptFailed['code'], detail: string): AttemptFailed {
  return { kind: 'failed', code, detail, class: 'final', mayHaveArrived: false };
}

function severalFound({ system, entityType, internalId }: Place, externalIds: readonly string[]): NewConflict {
  const candidates = externalIds.map((externalId) => ({ system, external_id: externalId }));
  return { kind: 'find', subject: composeKey([system, internalId]), system, entityType, internalId, candidates };
}

function rivalLink({ system, entityType, internalId }: Place, externalId: string, held: string | null): NewConflict {
  const subject = linkSubject({ system, entityType, externalId, internalId });
  const candidates = [
    { system, external_id: externalId, role: 'created', internal_id: internalId },
    { system, external_id: held, role: 'held', internal_id: held === null ? null : internalId },
  ];
  return { kind: 'link', subject, system, entityType, externalId, internalId, candidates };
}
