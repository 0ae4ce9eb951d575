import { newSigning, prepareReturningGuest } from '@waiver-service/signing/testing/data';
import { expect, test } from 'vitest';
import { createPruneWaiversJob } from '../../src/data/prune-waivers.ts';
import { openOutbox } from '../setup/open-outbox.ts';

const email = 'ann@example.com';

async function open() {
  const opened = await openOutbox({ installed: false, webhook: false });
  return { ...opened, ...(await prepareReturningGuest(opened.store, email)) };
}

test('an erasure takes what was confirmed, by the id of what was signed and by its address since', async () => {
  const { store, sign } = await open();
  const one = await sign();
  const copy = await sign({ reuseOf: one.signing, waiverId: one.waiver });
  await store.guests.erasures.request('p1', { waiverId: one.waiver }, 'test');
  expect(await store.waivers.get('p1', copy.waiver)).toBeUndefined();
  const two = await sign({ address: 'old@example.com' });
  const other = await sign({ reuseOf: two.signing, waiverId: two.waiver, address: 'old@example.com' });
  await store.waivers.update('p1', two.waiver, { answers: { email: 'new@example.com' } });
  await store.guests.erasures.request('p1', { email: 'new@example.com' }, 'test');
  expect(await store.waivers.get('p1', other.waiver)).toBeUndefined();
});

test('an export has of a confirmation what its guest signed then, and nothing of others', async () => {
  const { store, form } = await open();
  const family = newSigning(form, [{ name: 'planted Ann' }, { name: 'planted Ben' }], {
    waivers: ['Ann', 'Ben'].map((name) => ({
      answers: { name, email: `${name}@example.com` },
      validUntil: '2099-12-31',
    })),
  });
  await store.signings.store(family);
  const reused = newSigning(form, [{ name: 'again Ben' }], {
    waivers: [{ answers: { name: 'Ben', email: 'Ben@example.com' }, reuseOf: `${family.id}-2` }],
    reuseOf: family.id,
  });
  await store.signings.store(reused);
  const found = new Map<string, string>();
  for await (const { record, evidence } of store.guests.export('p1', { email: 'ben@example.com' }))
    found.set(record.id, JSON.stringify(evidence));
  expect([...found.keys()].toSorted()).toEqual([`${family.id}-2`, `${reused.id}-1`].toSorted());
  const confirmed = found.get(`${reused.id}-1`) ?? '';
  expect(confirmed).toContain('planted Ben');
  expect(confirmed).toContain('again Ben');
  expect(confirmed).not.toContain('planted Ann');
  expect(JSON.parse(confirmed).record.leaf).toBe(family.leaf);
});

test('an erasure by an address takes the codes that were made for it', async () => {
  const { store, guest, query } = await open();
  const limits = { ofEmail: 3, ofLink: 5 };
  await store.returningCodes.create(guest, limits);
  await store.returningCodes.create({ ...guest, email: 'bo@example.com' }, limits);
  await store.guests.erasures.request('p1', { email }, 'test');
  expect(await query('select count(*)::integer as left from returning_code')).toEqual([{ left: 1 }]);
  expect(await query('select count(*)::integer as left from mail_budget')).toEqual([{ left: 1 }]);
});

test('what was signed stays as long as a waiver that rests on it', async () => {
  const { store, sign } = await open();
  await store.pools.put({ id: 'p1', name: 'One', retention: { waiversDays: 30 } });
  const old = await sign({ daysAgo: 60 });
  const reused = await sign({ reuseOf: old.signing, waiverId: old.waiver, daysAgo: 20 });
  const prune = async () => {
    const { context } = store;
    await createPruneWaiversJob(context, 0, () => {}).runBatch();
  };
  await prune();
  expect(await store.waivers.get('p1', old.waiver)).toBeDefined();
  await store.waivers.update('p1', reused.waiver, { lastVisit: new Date(Date.now() - 40 * 86_400_000) });
  await prune();
  expect(await store.waivers.get('p1', reused.waiver)).toBeUndefined();
  await prune();
  expect(await store.waivers.get('p1', old.waiver)).toBeUndefined();
});
