/** Injection token of the active contract; its type is `Contract` in `domain/contract`. */
export const CONTRACT = Symbol('Contract');
