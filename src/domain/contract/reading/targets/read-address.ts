import { isPrivateHost } from '../../../private-address.js';
import type { Place } from '../place.js';
import { addressFault, readBaseUrl } from '../read-base-url.js';
import { expandVariable } from '../read-variable.js';
import type { Reading } from '../reading.js';

/** As readBaseUrl, with a complaint about an address that only `allow_private` may name. */
export function readTargetUrl(reading: Reading, place: Place | undefined, isPrivateAllowed: boolean): string {
  const address = readBaseUrl(reading, place);
  const fault = addressPrivacyFault(address, isPrivateAllowed);
  if (place !== undefined && fault !== undefined) reading.mistakes.atValue(place, `${subjectOf(place)} ${fault}`);
  return address;
}

/** As readTargetUrl, for an address that is called as it stands. */
export function readCalledUrl(reading: Reading, place: Place | undefined, isPrivateAllowed: boolean): string {
  const written = place?.text();
  if (place === undefined || written === undefined) return '';
  const address = expandVariable(reading, place, written);
  if (address === undefined) return '';
  const fault =
    addressFault(address.text) ??
    (/[#\s]/.test(address.text) ? 'has a fragment or a blank' : undefined) ??
    addressPrivacyFault(address.text, isPrivateAllowed);
  if (fault !== undefined) reading.mistakes.atValue(place, `${address.subject} ${fault}`);
  return address.text;
}

/**
 * What is wrong with an address that only leads to this machine or into a private network, as the rest of a sentence:
 * whoever can change a contract, or a variable, could otherwise read what only this machine may reach.
 */
export function addressPrivacyFault(address: string, isPrivateAllowed: boolean): string | undefined {
  if (isPrivateAllowed || !URL.canParse(address) || !isPrivateHost(new URL(address).hostname)) return undefined;
  return 'leads to this machine or into a private network; where that is meant, say `allow_private: true` beside `base_url`';
}

function subjectOf(place: Place): string {
  const [, name] = /^\$\{(\w+)\}/.exec(place.text() ?? '') ?? [];
  return name === undefined ? 'this' : `the value of ${name}`;
}
