/** Injection token of the active contract; its type is `Contract` in `domain/contract`. */
export const CONTRACT = Symbol('Contract');

/** Injection token of its number, by which events say which contract read and decided them. */
export const CONTRACT_NUMBER = Symbol('ContractNumber');
