import type { TargetEntity } from '../../domain/contract/target.js';
import { valueAt, type Pointer } from '../../domain/contract/pointer.js';
import { scalarText } from '../../domain/contract/template.js';
import { isJsonArray, type Json } from '../../domain/json/json.js';
import type { AttemptFailed } from './attempt.js';
import type { ReadAnswer } from './target-answer.js';

/** The new record's id out of the answer to a create. A good answer without it leaves us not knowing. */
export function readCreatedId(
  answer: ReadAnswer,
  create: NonNullable<TargetEntity['create']>,
): { readonly kind: 'id'; readonly externalId: string } | AttemptFailed {
  if (answer.kind === 'failed') return answer;
  const externalId = idAt(answer.body, create.externalId);
  return externalId === undefined ? unreadable(create.externalId, true) : { kind: 'id', externalId };
}

/**
 * The ids of the records that a look-up found. Without `items` the answer is one record and 404 means none; with
 * `items` 404 is a failure, because a list that is empty says so itself.
 */
export function readFound(
  answer: ReadAnswer,
  find: NonNullable<TargetEntity['find']>,
): { readonly kind: 'found'; readonly ids: readonly string[] } | AttemptFailed {
  if (answer.kind === 'failed') {
    return answer.status === 404 && find.items === undefined ? { kind: 'found', ids: [] } : answer;
  }
  if (find.items === undefined) {
    const externalId = idAt(answer.body, find.externalId);
    return externalId === undefined ? unreadable(find.externalId, false) : { kind: 'found', ids: [externalId] };
  }
  const items = answer.body === undefined ? undefined : valueAt(answer.body, find.items);
  if (!isJsonArray(items)) return unreadable(find.items, false);
  const ids = items.map((item) => idAt(item, find.externalId));
  const known = ids.filter((id) => id !== undefined);
  return known.length === ids.length ? { kind: 'found', ids: known } : unreadable(find.externalId, false);
}

function idAt(body: Json | undefined, pointer: Pointer): string | undefined {
  const value = body === undefined ? undefined : valueAt(body, pointer);
  const text = typeof value === 'boolean' ? undefined : scalarText(value);
  return text === undefined || text.trim() === '' ? undefined : text;
}

function unreadable(pointer: Pointer, mayHaveArrived: boolean): AttemptFailed {
  const detail = `The answer has nothing usable at \`${pointer.source}\`.`;
  return { kind: 'failed', code: 'target.unreadable', detail, class: 'retryable', mayHaveArrived };
}
