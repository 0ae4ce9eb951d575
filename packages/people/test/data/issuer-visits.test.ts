import { expect, test } from 'vitest';
import { openTestStore } from '../setup/open-test-store.ts';

const visit = { state: 'the-state', nonce: 'the-nonce', verifier: 'the-verifier', landing: '/console/' };
const longMs = 60_000;

test('a visit ends once, by its own state', async () => {
  const { store } = await openTestStore();
  const sealed = store.issuerVisits.begin(visit, longMs);
  expect(await store.issuerVisits.end(sealed, 'another')).toBeUndefined();
  expect(await store.issuerVisits.end(sealed, '')).toBeUndefined();
  const ended = await Promise.all([1, 2, 3].map(() => store.issuerVisits.end(sealed, visit.state)));
  expect(ended.filter((one) => one !== undefined)).toEqual([visit]);
});

test('a visit ends after its time, and is then deleted', async () => {
  const { store, query } = await openTestStore();
  const over = store.issuerVisits.begin(visit, 0);
  expect(await store.issuerVisits.end(over, visit.state)).toBeUndefined();
  const shortly = store.issuerVisits.begin(visit, 200);
  expect(await store.issuerVisits.end(shortly, visit.state)).toEqual(visit);
  expect(await query('select 1 from ended_sign_in')).toHaveLength(1);
  await query(`update ended_sign_in set expires_at = now()`);
  expect(await store.issuerVisits.end(store.issuerVisits.begin(visit, longMs), visit.state)).toEqual(visit);
  expect(await query('select 1 from ended_sign_in')).toHaveLength(1);
});

test('a visit that was changed, made up or read tells nothing', async () => {
  const { store } = await openTestStore();
  const sealed = store.issuerVisits.begin(visit, longMs);
  for (const secret of Object.values(visit)) {
    expect(sealed).not.toContain(secret);
    expect(Buffer.from(sealed.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain(secret);
  }
  const changed = `${sealed.slice(0, -8)}${sealed.slice(-8) === 'AAAAAAA=' ? 'BBBBBBB=' : 'AAAAAAA='}`;
  for (const wrong of [changed, '', 'v1', 'v1:test', 'v1:nobody:AAAA', 'x'.repeat(5000)]) {
    expect(await store.issuerVisits.end(wrong, visit.state)).toBeUndefined();
  }
});
