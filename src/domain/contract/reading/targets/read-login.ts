import { parseCallHole, type CallTemplate } from '../../call-template.js';
import type { Login } from '../../target-auth.js';
import { selectorsOf, type Template } from '../../template.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';
import { readAnswerTemplate, readFlatAnswerMatch } from './read-answer-match.js';
import { readFreeCall, type TargetSetting } from './read-call.js';
import { readSentHeaders } from './read-headers.js';

/** The session of a login, but for what is shown to open it. */
export function readLogin(reading: Reading, place: Place, setting: TargetSetting): Omit<Login, 'scheme' | 'with'> {
  const login = place.at('login');
  const take = readTake(reading, login?.at('take'));
  const keepsCookies = login?.at('cookies')?.text() === 'keep';
  const renewWhen = place.at('renew_when');
  if (login !== undefined && take.size === 0 && !keepsCookies) {
    reading.mistakes.atKey(login, 'nothing is kept of the answer: expected `take`, `cookies: keep` or both');
  }
  return {
    login: login === undefined ? NO_CALL : readFreeCall(reading, login, [], { ...setting, needs: [] }),
    take,
    keepsCookies,
    send: readSend(reading, place, take),
    ...(renewWhen && { renewWhen: readFlatAnswerMatch(reading, renewWhen) }),
  };
}

/** Stands in for a call that is missing; a contract with one is never used. */
const NO_CALL = { method: 'GET', path: '' } as const;

function readTake(reading: Reading, place: Place | undefined): ReadonlyMap<string, Template> {
  const take = new Map<string, Template>();
  for (const [name, written] of place?.entries() ?? []) {
    if (parseCallHole(name)?.kind !== 'taken') {
      reading.mistakes.atKey(
        written,
        `\`${name}\` has a meaning of its own in braces, or cannot stand there; expected another name`,
      );
      continue;
    }
    const template = readAnswerTemplate(reading, written);
    if (template === undefined) continue;
    take.set(name, template);
    if (selectorsOf(template).length > 0) continue;
    const example = template.source.startsWith('/') ? `{${template.source}}` : '{header/x-csrf-token}';
    reading.mistakes.atValue(
      written,
      `expected a hole such as \`${example}\`, which says where it stands in the answer`,
    );
  }
  return take;
}

/** What is taken and sent nowhere was taken for nothing. */
function readSend(
  reading: Reading,
  place: Place,
  take: ReadonlyMap<string, Template>,
): ReadonlyMap<string, CallTemplate> {
  const names = [...take.keys()];
  const send = readSentHeaders(reading, place.at('send'), { words: [], secrets: [], taken: names });
  const holes = [...send.values()].flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'));
  const unsent = names.find((name) => !holes.some((hole) => hole.kind === 'taken' && hole.name === name));
  const written = unsent === undefined ? undefined : place.at('login')?.at('take')?.at(unsent);
  if (written !== undefined && send.size === (place.at('send')?.keys() ?? []).length) {
    reading.mistakes.atKey(written, `\`${String(unsent)}\` is taken and never sent; expected a header under \`send\``);
  }
  return send;
}
