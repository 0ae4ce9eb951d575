import { expect, test } from 'vitest';
import { areAnswersTooLarge, maxAnswersBytes, mergeAnswers, removedAnswers } from '../src/waiver.ts';

const answersOf = (bytes: number) => ({ own: 'é'.repeat((bytes - 10) >> 1) + 'x'.repeat(bytes & 1) });

test('the limit is 256 KiB, in bytes of UTF-8', () => {
  expect(Buffer.byteLength(JSON.stringify(answersOf(maxAnswersBytes)))).toBe(262_144);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes))).toBe(false);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes + 1))).toBe(true);
});

test('answers stored before the limit must shrink', () => {
  const former = answersOf(maxAnswersBytes + 100);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes + 99), former)).toBe(false);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes + 101), former)).toBe(true);
  expect(areAnswersTooLarge(answersOf(maxAnswersBytes), {})).toBe(false);
});

test('merged answers keep their order, null removes one, and any name is a name', () => {
  const former = JSON.parse('{"zebra":1,"name":"Ann","a":[1,{"b":null}],"__proto__":"own"}');
  const changed = JSON.parse('{"zebra":null,"notes":"x","name":"Bo","absent":null}');
  const merged = mergeAnswers(former, changed);
  expect(JSON.stringify(merged)).toBe('{"name":"Bo","a":[1,{"b":null}],"__proto__":"own","notes":"x"}');
  expect(removedAnswers(former, merged)).toEqual(new Set(['zebra']));
  expect(Object.keys(former)).toContain('zebra');
});
