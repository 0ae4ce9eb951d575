import { expect, test } from 'vitest';
import { createRecentRequests } from '../../src/audit/recent-requests.ts';
import { createRefusalLimit, maxRefusalsPerHour } from '../../src/audit/refused-sign-ins.ts';

test('how a request ended is remembered for a minute', () => {
  let now = 0;
  const recent = createRecentRequests(() => now);
  expect(recent.statusOf('a')).toBeUndefined();
  recent.remember('a', 200);
  now = 59_999;
  expect(recent.statusOf('a')).toBe(200);
  recent.remember('b', 404);
  now = 60_000;
  expect([recent.statusOf('a'), recent.statusOf('b')]).toEqual([undefined, 404]);
});

test('the least recently recorded request is forgotten first', () => {
  const recent = createRecentRequests(() => 0);
  recent.remember('first', 200);
  recent.remember('second', 200);
  recent.remember('first', 201);
  for (let count = 0; count < 9_999; count += 1) recent.remember(`${count}`, 200);
  expect([recent.statusOf('first'), recent.statusOf('second')]).toEqual([201, undefined]);
});

test('a refusal is recorded once an hour for each address, and not for more than a few addresses', () => {
  let now = 0;
  const isRecorded = createRefusalLimit(() => now);
  const addresses = Array.from({ length: maxRefusalsPerHour + 5 }, (_, index) => `203.0.113.${index}`);
  expect(addresses.filter(isRecorded)).toHaveLength(maxRefusalsPerHour);
  now = 3_599_999;
  expect(addresses.filter(isRecorded)).toEqual([]);
  now = 3_600_000;
  expect(addresses.toReversed().filter(isRecorded)).toHaveLength(maxRefusalsPerHour);
});
