import type { AnswerRule, HandshakeAnswer } from '../contract.js';
import type { Place } from './place.js';
import { readConditions } from './read-conditions.js';
import { readTemplate } from './read-template.js';
import type { Reading } from './reading.js';

export function readAnswerRule(reading: Reading, rule: Place): AnswerRule {
  return {
    kind: 'answer',
    when: readConditions(reading, rule.at('when')),
    answer: readAnswer(reading, rule.at('answer')),
  };
}

function readAnswer(reading: Reading, place: Place | undefined): HandshakeAnswer {
  const text = readTemplate(reading, place?.at('text'));
  return { status: place?.at('status')?.number() ?? 200, ...(text && { text }) };
}
