import { linkSubject } from '../../domain/business-key.js';
import { parseInternalId } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import type { NewConflict } from '../conflicts/conflicts.service.js';
import type { RivalLink, RivalReason } from '../id-map/link-claim.js';
import type { Effect } from './decide-event.js';

/** The effect with the questions about the event's links that were not made; the rest of it stays what it is. */
export function withRivals(effect: Effect, rivals: readonly RivalLink[]): Effect {
  if (rivals.length === 0) return effect;
  const linkConflicts = rivals.map((rival) => linkConflict(rival, effect.event.eventId));
  // One code fits into the trace; what was decided about the content comes first, and the questions are listed anyway.
  if (effect.code !== undefined) return { ...effect, linkConflicts };
  const detail = [effect.detail, ...rivals.map(inWords)].filter((words) => words !== undefined).join(' ');
  return { ...effect, linkConflicts, code: 'link.conflict', detail };
}

/** The question about a link that was not made: the same one, whether an event or a write-back asks for the link. */
function linkConflict(rival: RivalLink, eventId: string): NewConflict {
  const { claim, link, reason, holder } = rival;
  const id = link.kind === 'external' ? link.id : claim.entity;
  const internalId = link.kind === 'external' ? rival.internalId : link.internalId;
  const asked = { role: 'asked', system: id.system, external_id: id.externalId, internal_id: internalId, reason };
  return {
    kind: 'link',
    subject: linkSubject({ system: id.system, entityType: id.type, externalId: id.externalId, internalId }),
    system: id.system,
    entityType: id.type,
    externalId: id.externalId,
    // What an event takes for an id of ours may be any text; the candidate shows it.
    internalId: parseInternalId(internalId) ?? rival.internalId,
    eventId,
    candidates: holder === undefined ? [asked] : [asked, held(holder)],
  };
}

function held({ system, externalId, internalId }: NonNullable<RivalLink['holder']>) {
  return { role: 'held', system, external_id: externalId, internal_id: internalId };
}

function inWords({ claim, link, reason, holder }: RivalLink): string {
  const id = link.kind === 'external' ? `${link.id.system} ${quoted(link.id.externalId)}` : quoted(link.internalId);
  const ours = holder === undefined ? '' : ` (${holder.system} ${quoted(holder.externalId)} is ${holder.internalId})`;
  return `${id} was not linked to ${claim.entity.system} ${quoted(claim.entity.externalId)}: ${REASONS[reason]}${ours}.`;
}

const REASONS: Readonly<Record<RivalReason, string>> = {
  not_allowed: 'the sender may not link these systems',
  id_taken: 'one of them belongs to another entity',
  place_taken: 'the entity has another id there',
  several: 'the event gives it several ids there',
  unknown_internal_id: 'we have no such entity',
};
