import type { Place } from './place.js';
import { expandVariable } from './read-variable.js';
import type { Reading } from './reading.js';

/** The address without trailing slashes, with a complaint when paths cannot be added to it. */
export function readBaseUrl(reading: Reading, place: Place | undefined): string {
  const text = place?.text();
  if (place === undefined || text === undefined) return '';
  const address = expandVariable(reading, place, text);
  if (address === undefined) return '';
  const fault =
    addressFault(address.text) ??
    (/[?#\s]/.test(address.text) ? 'has a query, a fragment or a blank; paths could not be added to it' : undefined);
  if (fault !== undefined) reading.mistakes.atValue(place, `${address.subject} ${fault}`);
  return address.text.replace(/\/+$/, '');
}

/** What is wrong with an address that is to be called, as the rest of a sentence that never quotes it. */
export function addressFault(value: string): string | undefined {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    return 'is no http or https address; expected one such as https://erp.example.com/api';
  }
  if (address.username !== '' || address.password !== '') return 'holds credentials, which do not belong in an address';
  return undefined;
}
