import { verifyEvidence } from '@waiver-service/evidence';
import type { PlannedInvitation } from '@waiver-service/invitations/data';
import { newSigning, prepareReturningGuest, publishForm } from '@waiver-service/signing/testing/data';
import { fetchedBooking, testKey, waiver } from '@waiver-service/store/testing';
import { describe, expect, test } from 'vitest';
import { createPruneWaiversJob } from '../../src/data/prune-waivers.ts';
import { openOutbox, type TestedStore } from '../setup/open-outbox.ts';

const key = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
const recipient = (email: string) => ({ email, guests: 1 });
const plan = {
  ...key,
  occasion: 'evening-before',
  day: '2027-06-12',
  fetchedAt: null,
  retryAt: null,
  problem: null,
} as const;

const outcomes = (planned: readonly PlannedInvitation[]) => planned.map(({ outcome }) => outcome);

const invite = async (
  store: TestedStore,
  emails: readonly string[],
  change: Partial<typeof plan> | object = {},
) =>
  outcomes(
    await store.invitations.plan(
      { ...plan, ...change },
      { recipients: emails.map(recipient), createdBy: 'invitations' },
    ),
  );

test('who is erased gets nothing more for their bookings, also when these are read again', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  const guests = [
    { id: 'g1', name: 'Ann', email: 'ann@example.com' },
    { id: 'g2', name: 'Bob', email: 'bob@example.com' },
  ];
  const fetched = fetchedBooking({ guests });
  await store.bookings.save({ ...key, fetched });
  await store.bookings.save({ ...key, bookingId: 'b2', fetched });
  await invite(store, ['ann@example.com', 'bob@example.com']);
  await store.invitations.addRefusal({
    pool: 'p1',
    id: store.invitations.addressId('p1', 'ann@example.com'),
    email: 'ann@example.com',
    reason: 'unsubscribed',
    reply: null,
  });
  await store.guests.erasures.request('p1', { email: 'Ann@example.com' }, 'admin-token');
  const left = await store.invitations.list('p1', { limit: 10 });
  expect(left.items.map(({ email }) => email)).toEqual(['bob@example.com']);
  for (const bookingId of ['b1', 'b2']) {
    const erased = await store.invitations.erasedOf({ ...key, bookingId });
    expect(guests.map((guest) => erased.isErased(guest))).toEqual([true, false]);
    expect(await invite(store, ['ann@example.com'], { bookingId, occasion: 'morning-of' })).toEqual([
      'erased',
    ]);
  }
  // Not in the bookings of later years; the wish to get nothing stays, without an address.
  expect(
    (await store.invitations.erasedOf({ ...key, bookingId: 'b9' })).isErased({ email: 'ann@example.com' }),
  ).toBe(false);
  expect(await query('select address_encrypted, reason from invitation_refusal')).toEqual([
    { address_encrypted: null, reason: 'unsubscribed' },
  ]);
  expect(await store.guests.exportMessages('p1', { email: 'ann@example.com' })).toMatchObject({
    invitations: { sent: [] },
  });
});

test('whose record is erased is blocked as a guest of the booking, whatever address the booking has', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(
    waiver({ id: 'w1', bookingGuestId: 'g1', answers: { name: 'Ann', email: 'own@example.com' } }),
  );
  await invite(store, ['own@example.com']);
  expect(await store.guests.exportMessages('p1', { waiverId: 'w1' })).toMatchObject({
    invitations: { sent: [{ bookingId: 'b1' }] },
  });
  await store.guests.erasures.request('p1', { waiverId: 'w1' }, 'admin-token');
  await expect
    .poll(async () =>
      (await store.invitations.erasedOf(key)).isErased({ id: 'g1', email: 'booked@example.com' }),
    )
    .toBe(true);
  expect((await store.invitations.erasedOf(key)).isErased({ id: 'g2', email: 'booked@example.com' })).toBe(
    false,
  );
  expect((await store.invitations.list('p1', { limit: 10 })).items).toEqual([]);
});

test('whose record is erased is blocked at its booking by every address, also if no response of it is stored', async () => {
  const { store } = await openOutbox({ webhook: false });
  const answers = { name: 'Ann', email: 'first@example.com' };
  await store.waivers.create(waiver({ id: 'w1', bookingGuestId: null, answers }));
  await invite(store, ['first@example.com']);
  await store.waivers.update('p1', 'w1', { answers: { email: 'second@example.com' } });
  await store.guests.erasures.request('p1', { waiverId: 'w1' }, 'admin-token');
  for (const email of ['first@example.com', 'second@example.com']) {
    await expect
      .poll(async () => (await store.invitations.erasedOf(key)).isErased({ id: 'g9', email }))
      .toBe(true);
    expect(await invite(store, [email], { occasion: 'morning-of' })).toEqual(['erased']);
  }
  expect((await store.invitations.list('p1', { limit: 10 })).items).toEqual([]);
});

describe('what returning guests confirmed', () => {
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
});

describe('what guests signed', () => {
  const family = [
    { name: 'planted Ann', bookingGuestId: 'g1' },
    { name: 'planted Ben', bookingGuestId: 'g2', health: 'planted asthma' },
    { name: 'planted Cleo' },
  ];

  async function open(keys = [testKey()]) {
    const opened = await openOutbox({ keys });
    return { ...opened, keys, form: await publishForm(opened.store) };
  }

  /** The verifier's report on a waiver's signing, once it is sealed and has so many later records. */
  async function verified(store: TestedStore, waiver: string, later = 0) {
    await expect
      .poll(async () => (await store.signings.evidence('p1', waiver))?.file.later.length)
      .toBe(later);
    await expect.poll(async () => (await store.signings.ofWaiver('p1', waiver))?.isSealed).toBe(true);
    const evidence = await store.signings.evidence('p1', waiver);
    const findings = verifyEvidence(JSON.stringify(evidence?.file));
    return (status: string) =>
      findings.filter((each) => each.status === status).map(({ sentence }) => sentence);
  }

  test('an erased child takes no proof from the others of the family; with the last, only hashes are left', async () => {
    const { store, form, query } = await open();
    const signing = newSigning(form, family);
    await store.signings.store(signing);
    await verified(store, `${signing.id}-1`);
    const texts = async () =>
      JSON.stringify(
        await query(`
        select body from signing_entry union all select body from signing_part
        union all select encode(data, 'escape') from signing_photo union all select body_encrypted from signing_entry`),
      );
    const erased = async (waivers: number) =>
      expect
        .poll(() => query(`select count(*)::integer as left from signing_waiver`))
        .toEqual([{ left: waivers }]);

    await store.guests.erasures.request('p1', { waiverId: `${signing.id}-2` }, 'Ada');
    await erased(2);
    expect(await texts()).not.toContain('planted Ben');
    expect(await texts()).toContain('planted Ann');
    expect(await query('select body_encrypted from signing_entry where body_encrypted is not null')).toEqual(
      [],
    );
    const rest = await verified(store, `${signing.id}-1`, 1);
    expect(rest('changed')).toEqual([]);
    expect(rest('erased').length).toBeGreaterThan(0);

    await store.guests.erasures.request('p1', { waiverId: `${signing.id}-1` }, 'Ada');
    await store.guests.erasures.request('p1', { waiverId: `${signing.id}-3` }, 'Ada');
    await erased(0);
    expect(await query('select from signing_part where salt is not null')).toEqual([]);
    expect(await query('select from signing_entry where salt is not null')).toEqual([]);
    expect(await query('select from signing_photo where data is not null')).toEqual([]);
  });

  test('the export of a child has what was signed for them, and nothing of the others of the family', async () => {
    const { store, form } = await open();
    const signing = newSigning(form, family);
    await store.signings.store(signing);
    const exported = store.guests.export('p1', { waiverId: `${signing.id}-2` });
    const { value } = await exported.next();
    const text = JSON.stringify(value?.evidence);
    expect(text).toContain('planted Ben');
    expect(text).toContain('planted asthma');
    expect(text).not.toContain('planted Ann');
    expect(text).not.toContain('planted Cleo');
  });
});
