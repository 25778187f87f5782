import type { Place } from '../place.js';
import { addressFault } from '../read-base-url.js';
import { expandVariable, variableFault } from '../read-variable.js';
import type { Reading } from '../reading.js';
import type { HoleScope } from './hole-scope.js';
import { addressPrivacyFault } from './read-address.js';
import { callTemplateFault } from './read-call-template.js';

/** The path of a call, with a complaint when it does not start at `base_url` or has holes that nothing fills. */
export function readPath(reading: Reading, place: Place | undefined, scope: HoleScope): string {
  const path = place?.text();
  if (place === undefined || path === undefined) return '';
  const fault = pathFault(path, scope);
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  return path;
}

/** As readPath, for a call that may go to another host than `base_url`: it then stands with its whole address. */
export function readPathOrAddress(
  reading: Reading,
  place: Place | undefined,
  { scope, isPrivateAllowed }: { readonly scope: HoleScope; readonly isPrivateAllowed: boolean },
): string {
  const written = place?.text();
  if (place === undefined || written === undefined || written.startsWith('/')) return readPath(reading, place, scope);
  const address = expandVariable(reading, place, written);
  if (address === undefined) return '';
  const isAddress = address.subject !== 'this' || /^https?:/i.test(address.text);
  if (!isAddress) return readPath(reading, place, scope);
  const fault = calledFault(address, scope, isPrivateAllowed);
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  return address.text;
}

function calledFault(
  { text, subject }: { readonly text: string; readonly subject: string },
  scope: HoleScope,
  isPrivateAllowed: boolean,
): string | undefined {
  const filled = filledWith(text, 'x');
  if (hostOf(filled) !== hostOf(filledWith(text, 'y'))) {
    return 'a hole cannot stand in the host: the contract says where a call goes';
  }
  const fault = addressFault(filled) ?? addressPrivacyFault(filled, isPrivateAllowed);
  if (fault !== undefined) return `${subject} ${fault}`;
  return characterFault(text) ?? secretFault(text) ?? callTemplateFault(text, scope);
}

function filledWith(text: string, value: string): string {
  return text.replaceAll(/\{[^{}]*\}/g, value);
}

/** As the URL parser sees it, which takes many spellings for an address. */
function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}

function pathFault(path: string, scope: HoleScope): string | undefined {
  const fault = variableFault(path);
  if (fault !== undefined) return fault;
  if (!path.startsWith('/')) return 'expected a path that starts with `/`; `base_url` stands before it';
  return characterFault(path) ?? secretFault(path) ?? callTemplateFault(path, scope);
}

function characterFault(path: string): string | undefined {
  return /[#\p{Cc}]/u.test(path) ? 'a path has no `#` and no control characters' : undefined;
}

/** Addresses stand in logs and traces. */
function secretFault(path: string): string | undefined {
  return /\{secrets\b/.test(path)
    ? 'a secret does not belong in an address; a header or the body may have it'
    : undefined;
}
