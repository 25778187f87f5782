import type { Answer, SystemRequest } from '../answer.js';

export type Admission =
  /** `headers` go out with the answer. */
  | { readonly kind: 'admitted'; readonly headers?: Answer['headers'] }
  /** Without an `answer` of its own it is 401 in the words of the dialect. */
  | { readonly kind: 'refused'; readonly headers?: Answer['headers']; readonly answer?: Answer };

/** One way of finding out who calls. */
export interface Authentication {
  /** The answer of a route that belongs to the authentication itself: a login, a token. */
  logIn(request: SystemRequest): Answer | undefined;
  admit(request: SystemRequest): Admission;
}
