import { isZone, type InstantSource } from '../instant-source.js';
import type { Place } from './place.js';
import { readTemplateWithHole } from './read-template.js';
import type { Reading } from './reading.js';

const FORMATS = ['unix', 'unix_ms', 'rfc3339', 'local'] as const;

/** `"{/updated_at}"`, or `{ from, format, zone }`; undefined with a complaint. */
export function readInstantSource(reading: Reading, place: Place | undefined): InstantSource | undefined {
  if (place === undefined) return undefined;
  const from = readTemplateWithHole(reading, place.isBlock() ? place.at('from') : place);
  const format = FORMATS.find((name) => name === place.at('format')?.text()) ?? 'rfc3339';
  const zone = place.at('zone');
  checkZone(reading, { place, zone, format });
  return from === undefined ? undefined : { from, format, zone: zone?.text() ?? 'UTC' };
}

function checkZone(
  reading: Reading,
  { place, zone, format }: { readonly place: Place; readonly zone: Place | undefined; readonly format: string },
): void {
  const name = zone?.text();
  if (format === 'local') {
    if (zone === undefined)
      reading.mistakes.atKey(place, '`local` needs `zone`: a time without an offset is no instant');
    else if (name !== undefined && !isZone(name)) {
      const expected = 'expected `UTC`, an offset such as `+08:00`, or a name such as `Europe/Berlin`';
      reading.mistakes.atValue(zone, `\`${name}\` is no time zone; ${expected}`);
    }
  } else if (zone !== undefined) reading.mistakes.atKey(zone, 'only `format: local` has a use for a zone');
}
