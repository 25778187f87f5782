import type { CompletionRule } from '../contract.js';
import type { Template } from '../template.js';
import { requireKnownName } from './known-name.js';
import type { Place } from './place.js';
import { readConditions } from './read-conditions.js';
import { readPointer } from './read-pointer.js';
import { readIdentifyingTemplate, readTemplate } from './read-template.js';
import type { Reading } from './reading.js';

/** Stands in for a template that could not be read; a contract with one is never used. */
const UNREAD: Template = { source: '', parts: [] };

/** A rule that tells the end of a create; there must be such creates at the system. */
export function readCompletionRule(reading: Reading, system: string, place: Place): CompletionRule {
  const completes = place.at('completes');
  const each = readPointer(reading, place.at('each'));
  const refused = completes?.at('refused');
  checkIsAccepted(reading, system, completes?.at('entity'));
  return {
    kind: 'completes',
    ...(each && { each }),
    when: readConditions(reading, place.at('when')),
    entityType: completes?.at('entity')?.text() ?? '',
    ticket: readIdentifyingTemplate(reading, completes?.at('ticket')) ?? UNREAD,
    end:
      refused === undefined
        ? { kind: 'created', externalId: readIdentifyingTemplate(reading, completes?.at('external_id')) ?? UNREAD }
        : { kind: 'refused', reason: readTemplate(reading, refused) ?? UNREAD },
  };
}

function checkIsAccepted(reading: Reading, system: string, place: Place | undefined): void {
  const name = place?.text();
  if (place === undefined || name === undefined || !requireKnownName(reading, place, name, 'entities')) return;
  const create = reading.root.at('systems')?.at(system)?.at('deliver')?.at('entities')?.at(name)?.at('create');
  if (create?.has('accepted') === true) return;
  const message = `no create of \`${name}\` at \`${system}\` is ever open: its \`deliver\` has no \`create\` with \`accepted\` for it`;
  reading.mistakes.atValue(place, message);
}
