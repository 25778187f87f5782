import { types } from 'node:util';

/**
 * Import this where the program catches errors of Node itself. A suite runs in a context of its own, whose `Error` is
 * not the one that Node throws, so `error instanceof Error` would be false here and true everywhere else.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, candidate: unknown): boolean {
    // Classes that extend Error inherit this method and keep their own meaning.
    if (this === Error) return types.isNativeError(candidate);
    return Function.prototype[Symbol.hasInstance].call(this, candidate);
  },
});
