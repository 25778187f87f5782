import type { Place } from './place.js';
import { readVariable, variableIn } from './read-variable.js';
import type { Reading } from './reading.js';

/** The address without trailing slashes, with a complaint when paths cannot be added to it. */
export function readBaseUrl(reading: Reading, place: Place | undefined): string {
  const text = place?.text();
  if (place === undefined || text === undefined) return '';
  const name = variableIn(text);
  const value = name === undefined ? text : readVariable(reading, place, name);
  if (value === undefined) return '';
  const fault = addressFault(value);
  const subject = name === undefined ? 'this' : `the value of ${name}`;
  if (fault !== undefined) reading.mistakes.atValue(place, `${subject} ${fault}`);
  return value.replace(/\/+$/, '');
}

function addressFault(value: string): string | undefined {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    return 'is no http or https address; expected one such as https://erp.example.com/api';
  }
  if (address.username !== '' || address.password !== '') return 'holds credentials, which do not belong in an address';
  if (/[?#\s]/.test(value)) return 'has a query, a fragment or a blank; paths could not be added to it';
  return undefined;
}
