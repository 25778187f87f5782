import type { Answer } from '../answer.js';
import { json } from '../answer.js';
import { membersOf, objectOf } from '../json-text.js';
import type { Collection, StoredRecord } from '../record-store.js';
import { etagOf } from './etag.js';

/** One entity set: which records it speaks of and how it names their parts. */
export interface EntitySet {
  readonly name: string;
  readonly collection: Collection;
  readonly keyName: string;
  /** Where a caller keeps its own reference; the first that has a value counts. */
  readonly refFields: readonly string[];
  /** The navigation to child rows, and what numbers them. */
  readonly rows?: { readonly navigation: string; readonly idName: string };
}

const SERVICE_ROOT = '/sap/opu/odata/sap/API_SAMPLE';

export function entityAnswer(status: number, set: EntitySet, record: StoredRecord, expand: readonly string[]): Answer {
  return {
    status,
    body: `{"d":${entityText(set, record, expand)}}`,
    headers: { etag: etagOf(record), dataserviceversion: '2.0' },
    recordId: record.id,
  };
}

/** Numbers are kept as they were sent; SAP itself answers decimals as text. */
export function entityText(set: EntitySet, record: StoredRecord, expand: readonly string[]): string {
  const uri = `${SERVICE_ROOT}/${set.name}('${encodeURIComponent(record.id)}')`;
  const metadata = JSON.stringify({ id: uri, uri, type: `API_SAMPLE.${set.name}Type`, etag: etagOf(record) });
  const members = membersOf(record.raw).set(set.keyName, JSON.stringify(record.id));
  if (set.rows !== undefined) {
    const { navigation } = set.rows;
    const isExpanded = expand.includes(navigation);
    const deferred = JSON.stringify({ __deferred: { uri: `${uri}/${navigation}` } });
    members.set(navigation, isExpanded ? `{"results":${members.get(navigation) ?? '[]'}}` : deferred);
  }
  return objectOf([['__metadata', metadata], ...members]);
}

/** An error in SAP Gateway's form: the code is for programs, the message is an object. */
export function odataError(status: number, code: string, text: string): Answer {
  return json(status, { error: { code, message: { lang: 'en', value: text }, innererror: { errordetails: [] } } });
}
