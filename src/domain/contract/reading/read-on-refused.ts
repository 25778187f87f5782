import type { EventType } from '../contract.js';
import { requireKnownName } from './known-name.js';
import { ANY_ENTITY } from './merge-blocks.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

/**
 * The event that a refusal for good brings about. No system sent it, so it has no payload of a sender and no version:
 * whatever its event type needs of these keeps it from being emitted.
 */
export function readOnRefused(reading: Reading, eventType: Place): EventType['onRefused'] {
  const onRefused = eventType.at('on_refused');
  const emit = onRefused?.at('emit');
  const name = emit?.text();
  if (onRefused === undefined || emit === undefined || name === undefined) return undefined;
  if ((eventType.at('deliver_to')?.items() ?? []).length === 0) {
    reading.mistakes.atKey(onRefused, 'nobody can refuse it: `deliver_to` names no system');
  }
  if (!requireKnownName(reading, emit, name, 'events')) return undefined;
  const emitted = reading.root.at('events')?.at(name);
  const fault = emitted && emittedFault(name, emitted, eventType);
  if (fault !== undefined) reading.mistakes.atValue(emit, fault);
  else if (leadsBack(reading, eventType)) {
    reading.mistakes.atValue(
      emit,
      `\`${name}\` leads back to this event type: refusals could bring each other about for ever`,
    );
  }
  return { emit: name };
}

function emittedFault(name: string, emitted: Place, refused: Place): string | undefined {
  const about = refused.at('entity')?.text() ?? ANY_ENTITY;
  const entity = emitted.at('entity')?.text();
  const strategy = emitted.at('strategy')?.text();
  if (entity !== undefined && entity !== ANY_ENTITY && entity !== about) {
    return `\`${name}\` is about \`${entity}\`, and what is refused is ${about === ANY_ENTITY ? 'any entity' : `\`${about}\``}`;
  }
  if (strategy !== undefined && strategy !== 'ignore') {
    return `\`${name}\` is applied by \`${strategy}\`, which needs a record that some system sent; expected one with \`strategy: ignore\``;
  }
  if (/[{}]/.test(emitted.at('transition')?.text() ?? '')) {
    return `\`${name}\` takes its state of its sender, and nobody sends this one; expected a \`transition\` that names the state`;
  }
  return emitted.has('references')
    ? `\`${name}\` takes \`references\` of its payload, and nobody sends this one`
    : undefined;
}

function leadsBack(reading: Reading, start: Place): boolean {
  const seen = new Set<Place>();
  let at: Place | undefined = start;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    at = reading.root.at('events')?.at(at.at('on_refused')?.at('emit')?.text() ?? '');
  }
  return at === start;
}
