import type { SignedPart } from '../signed-part.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

type Hole = Exclude<SignedPart['kind'], 'text' | 'header'>;
const HOLES: readonly Hole[] = ['body', 'timestamp', 'method', 'url', 'form_sorted'];
const HEADER_HOLE = /^header\/([A-Za-z0-9!#$%&'*+.^_`|~-]+)$/;

const SIGNED_DEFAULT = '{body}';

/**
 * What a signature covers, such as `{method}{url}{body}{timestamp}`. Complains about holes that nobody knows and about
 * a signature that would prove nothing.
 *
 * @param auth the block in which `signed` may stand
 * @param holes those that mean something there
 */
export function readSigned(reading: Reading, auth: Place, holes: readonly Hole[] = HOLES): readonly SignedPart[] {
  const timestamp = auth.at('timestamp');
  const place = auth.at('signed') ?? timestamp ?? auth;
  const parts = (auth.at('signed')?.text() ?? SIGNED_DEFAULT)
    .split(/(\{[^{}]*\})/)
    .flatMap((piece) => readPart(reading, place, piece, holes) ?? []);
  const has = (kind: SignedPart['kind']): boolean => parts.some((part) => part.kind === kind);
  if (!has('body') && !has('form_sorted')) {
    const content = holes.includes('form_sorted') ? '`{body}` or `{form_sorted}`' : '`{body}`';
    reading.mistakes.atValue(place, `expected ${content}: else anybody could change what was signed`);
  }
  if (has('timestamp') !== (timestamp !== undefined)) {
    const message = timestamp
      ? 'expected `{timestamp}` in `signed`: a time that is not signed can be changed by anybody'
      : '`{timestamp}` needs `timestamp`, which says where it stands';
    reading.mistakes.atValue(place, message);
  }
  return parts;
}

function readPart(reading: Reading, place: Place, piece: string, holes: readonly Hole[]): SignedPart | undefined {
  if (piece === '') return undefined;
  if (!piece.startsWith('{')) return { kind: 'text', text: piece };
  const hole = piece.slice(1, -1);
  const kind = holes.find((known) => known === hole);
  if (kind !== undefined) return { kind };
  const header = HEADER_HOLE.exec(hole)?.[1];
  if (header !== undefined) return { kind: 'header', name: header.toLowerCase() };
  const known = holes.map((name) => `\`{${name}}\``).join(', ');
  reading.mistakes.atValue(place, `\`${piece}\` is not known here; expected ${known} or \`{header/…}\``);
  return undefined;
}
