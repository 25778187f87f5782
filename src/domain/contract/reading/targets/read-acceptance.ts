import type { Pointer } from '../../pointer.js';
import type { Selector } from '../../selector.js';
import type { Acceptance, AskCall } from '../../target.js';
import type { Place } from '../place.js';
import { readDurationMs } from '../read-duration.js';
import { readPointer } from '../read-pointer.js';
import { readSelector } from '../read-selector.js';
import type { Reading } from '../reading.js';
import { answerPlaceFault, readAnswerMatch, readFlatAnswerMatch } from './read-answer-match.js';
import { readFreeCall, type CallSetting } from './read-call.js';

const ACCEPTED = 202;
const ASK_EVERY_MS_DEFAULT = 30_000;
const WITHIN_MS_DEFAULT = 3_600_000;
/** Stand in for places that could not be read; a contract with one is never used. */
const UNREAD_POINTER: Pointer = { source: '', steps: [] };
const UNREAD_SELECTOR: Selector = { kind: 'item', source: '', pointer: UNREAD_POINTER };

export function readAcceptance(reading: Reading, place: Place, setting: CallSetting): Acceptance {
  const { statuses, when } = readAnswerMatch(reading, place);
  const ask = place.at('ask');
  return {
    statuses: place.has('status') ? statuses : [ACCEPTED],
    when,
    ticket: readTicket(reading, place.at('ticket')),
    withinMs: readDurationMs(reading, place.at('within'), WITHIN_MS_DEFAULT),
    ...(ask && { ask: readAsk(reading, ask, setting) }),
  };
}

function readTicket(reading: Reading, place: Place | undefined): Selector {
  const ticket = readSelector(reading, place);
  const fault = ticket === undefined ? undefined : answerPlaceFault(ticket);
  if (place !== undefined && fault !== undefined) reading.mistakes.atValue(place, fault);
  return ticket ?? UNREAD_SELECTOR;
}

function readAsk(reading: Reading, place: Place, setting: CallSetting): AskCall {
  const refusedWhen = place.at('refused_when');
  return {
    ...readFreeCall(reading, place, ['internal_id', 'ticket'], setting),
    everyMs: readDurationMs(reading, place.at('every'), ASK_EVERY_MS_DEFAULT),
    externalId: readPointer(reading, place.at('external_id')) ?? UNREAD_POINTER,
    ...(refusedWhen && { refusedWhen: readFlatAnswerMatch(reading, refusedWhen) }),
  };
}

/** Who is not told, and does not ask, takes every accepted create for one of unknown end. */
export function checkEndIsTold(reading: Reading, system: string, entityType: string, create: Place | undefined): void {
  const accepted = create?.at('accepted');
  if (accepted === undefined || accepted.has('ask')) return;
  const rules = reading.root.at('systems')?.at(system)?.at('ingest')?.at('webhooks')?.items() ?? [];
  if (rules.some((rule) => rule.at('completes')?.at('entity')?.text() === entityType)) return;
  const message = `nobody tells the end of such a create: expected \`ask\`, or a webhook rule of \`${system}\` that \`completes\` \`${entityType}\``;
  reading.mistakes.atKey(accepted, message);
}
