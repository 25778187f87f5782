import type { RE2JS } from 're2js';
import type { MessageItem } from './message.js';
import { select, type Selector } from './selector.js';
import { scalarText } from './template.js';

/** What must hold at one place of a message. All conditions of a `when` must hold. */
export interface Condition {
  readonly place: Selector;
  readonly test: ConditionTest;
}

export type ConditionTest =
  /** The scalar that stands there is, as text, one of these; `isSecret`: of which one came from the environment. */
  | { readonly kind: 'any_of'; readonly texts: readonly string[]; readonly isSecret?: true }
  /** Something stands there that is not null, or (`false`) nothing does. */
  | { readonly kind: 'exists'; readonly expected: boolean }
  /** A scalar stands there in whose text the pattern is found. */
  | { readonly kind: 'matches'; readonly pattern: RE2JS }
  /** The test does not hold there; so also where nothing stands. */
  | { readonly kind: 'not'; readonly test: ConditionTest };

/** Whether what stands there is compared with a secret, and therefore is one. */
export function isSecret(test: ConditionTest): boolean {
  return test.kind === 'not' ? isSecret(test.test) : test.kind === 'any_of' && test.isSecret === true;
}

export function holds({ place, test }: Condition, message: MessageItem): boolean {
  return passes(test, select(message, place));
}

function passes(test: ConditionTest, value: ReturnType<typeof select>): boolean {
  switch (test.kind) {
    case 'exists':
      return (value !== undefined && value !== null) === test.expected;
    case 'not':
      return !passes(test.test, value);
    case 'any_of': {
      const text = scalarText(value);
      return text !== undefined && test.texts.includes(text);
    }
    case 'matches': {
      const text = scalarText(value);
      return text !== undefined && test.pattern.matcher(text).find();
    }
  }
}
