import { expect, test } from 'vitest';
import { prepareReturningGuest } from '../../src/testing/data.ts';
import { openOutbox } from '../setup/open-test-store.ts';

const email = 'ann@example.com';

async function open() {
  const opened = await openOutbox({ installed: false, webhook: false });
  return { ...opened, ...(await prepareReturningGuest(opened.store, email)) };
}

test('what an address has signed and is valid can be confirmed; a confirmation itself cannot', async () => {
  const { store, sign } = await open();
  const first = await sign();
  const reused = await sign({ reuseOf: first.signing, waiverId: first.waiver });
  expect(reused.result.outcome).toBe('signed');
  const reusable = (address: string, day = '2026-01-01') =>
    store.signings.reusable({ pool: 'p1', email: address, day });
  const [found, ...others] = await reusable(' ANN@example.com');
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    id: first.waiver,
    signing: first.signing,
    guest: 0,
    isSigner: true,
    validUntil: '2099-12-31',
  });
  expect(found?.flags).toEqual([{ item: 'swimming', label: 'Cannot swim' }]);
  expect(await reusable(email, '2100-01-01')).toEqual([]);
  expect(await reusable('x@guest.booking.com')).toEqual([]);
  await store.waivers.void('p1', first.waiver);
  expect(await reusable(email)).toEqual([]);
  const late = await sign({ reuseOf: first.signing, waiverId: first.waiver });
  expect(late.result.outcome).toBe('confirmed-gone');
  expect(await store.waivers.get('p1', late.waiver)).toBeUndefined();
});

test('a code is exchanged once, by the link that asked for it, and ends after its time', async () => {
  const { store, guest, query } = await open();
  const { returningCodes: codes } = store;
  const limits = { ofEmail: 3, ofLink: 5 };
  const made = await codes.create(guest, limits);
  if (made === undefined) throw new Error('no code');
  expect(made.code).toMatch(/^\d{6}$/);
  expect(JSON.stringify(await query('select * from returning_code'))).not.toContain(made.code);
  expect(await codes.exchange({ ...guest, email: 'bo@example.com' }, made)).toBe('ended');
  expect(await codes.exchange({ ...guest, link: 'other' }, made)).toBe('ended');
  const proof = await codes.exchange(guest, made);
  if (typeof proof === 'string') throw new Error(proof);
  expect(await codes.exchange(guest, made)).toBe('ended');
  expect(await codes.isProven({ ...guest, email: ' ANN@example.com' }, proof.proof)).toBe(true);
  expect(await codes.isProven({ ...guest, email: 'bo@example.com' }, proof.proof)).toBe(false);
  expect(await codes.isProven(guest, 'wsr_other')).toBe(false);
  await query(`update returning_code set proof_expires_at = now()`);
  expect(await codes.isProven(guest, proof.proof)).toBe(false);

  const late = await codes.create(guest, limits);
  await query(`update returning_code set expires_at = now() where proof_hash is null`);
  expect(await codes.exchange(guest, late ?? made)).toBe('ended');
  expect(await codes.create(guest, limits)).toBeDefined();
  expect(await codes.create(guest, limits)).toBeUndefined();
  await codes.create({ ...guest, email: 'bo@example.com' }, limits);
  await codes.create({ ...guest, email: 'cy@example.com' }, limits);
  expect(await codes.create({ ...guest, email: 'di@example.com' }, limits)).toBeUndefined();
});

test('the limits hold for requests at the same time', async () => {
  const { store, guest } = await open();
  const made = (emails: readonly string[]) =>
    Promise.all(
      emails.map((each) => store.returningCodes.create({ ...guest, email: each }, { ofEmail: 3, ofLink: 5 })),
    ).then((codes) => codes.filter((code) => code !== undefined).length);
  expect(await made(Array.from({ length: 10 }, () => email))).toBe(3);
  expect(await made(Array.from({ length: 10 }, (_, number) => `${number}@example.com`))).toBe(2);
});
