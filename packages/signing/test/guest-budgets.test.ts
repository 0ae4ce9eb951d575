import { HttpProblem } from '@waiver-service/http';
import { expect, test } from 'vitest';
import { createGuestBudgets, type GuestAction } from '../src/links/guest-budgets.ts';

const minuteMs = 60_000;
const MiB = 1024 ** 2;

function setUp() {
  let now = 0;
  const budgets = createGuestBudgets(() => now);
  /** The code of the refusal; undefined if it was taken. */
  const take = (counted: GuestAction | 'bytes', place: object = {}, amount = 1): string | undefined => {
    const source = { pool: 'rafting', link: 'link', address: '192.0.2.1', ...place };
    try {
      budgets.take(counted, source, amount);
      return undefined;
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status !== 429) throw error;
      expect(Number(error.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      return error.code;
    }
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { take, wait };
}

test('a class of 200 behind one address, with one link, opens, fills in, signs and reads its copy', () => {
  const { take } = setUp();
  const refused = new Set<string | undefined>();
  for (let guest = 0; guest < 200; guest += 1) {
    refused.add(take('open')).add(take('recognize')).add(take('sign')).add(take('copy'));
    for (let page = 0; page < 5; page += 1) refused.add(take('page'));
    refused.add(take('bytes', {}, 600 * 1024));
  }
  expect([...refused]).toEqual([undefined]);
});

test('a busy day of 3,000 guests with five pages each fits, at one link and behind one address', () => {
  const { take, wait } = setUp();
  const refused = new Set<string | undefined>();
  for (let guest = 0; guest < 3_000; guest += 1) {
    refused
      .add(take('open'))
      .add(take('sign'))
      .add(take('bytes', {}, MiB));
    for (let page = 0; page < 5; page += 1) refused.add(take('page'));
    wait(10_000);
  }
  expect([...refused]).toEqual([undefined]);
});

test.each(['open', 'page', 'sign', 'copy', 'recognize'] as const)(
  'a flood of "%s" is refused by link, by address and by pool, until its minute is over',
  (action) => {
    const { take, wait } = setUp();
    const floodFrom = (place: (count: number) => object) => {
      for (let count = 0; count < 20_000; count += 1) {
        const code = take(action, place(count));
        if (code !== undefined) return code;
      }
      return 'none';
    };
    expect(floodFrom((count) => ({ address: `192.0.2.${count % 200}` }))).toBe('too_many_by_link');
    wait(minuteMs);
    expect(floodFrom((count) => ({ link: `link ${count % 200}` }))).toBe('too_many_from_address');
    wait(minuteMs);
    const spread = (count: number) => ({ link: `link ${count % 200}`, address: `192.0.2.${count % 200}` });
    expect(floodFrom(spread)).toBe('too_many_in_pool');
    expect(take(action, { pool: 'climbing', link: 'theirs' })).toBeUndefined();
    wait(minuteMs);
    expect(take(action)).toBeUndefined();
  },
);

test('a refused request takes from no budget, and bytes count beside numbers', () => {
  const { take } = setUp();
  expect(take('bytes', {}, 129 * MiB)).toBe('too_many_by_link');
  expect(take('bytes', {}, 128 * MiB)).toBeUndefined();
  expect(take('bytes', {}, 1)).toBe('too_many_by_link');
  expect(take('bytes', { link: null }, 1)).toBe('too_many_from_address');
  expect(take('bytes', { link: 'other', address: '192.0.2.2' }, 1)).toBeUndefined();
});

test('an IPv6 network is one address', () => {
  const { take } = setUp();
  let code: string | undefined;
  for (let count = 0; code === undefined && count < 1_000; count += 1)
    code = take('sign', { link: `link ${count}`, address: `2001:db8::${count.toString(16)}` });
  expect(code).toBe('too_many_from_address');
});
