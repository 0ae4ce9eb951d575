import { newSigning, publishForm } from '@waiver-service/signing/testing/data';
import { claimAll, pruneRows, testKey } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { InvitationStore } from '../../src/data/invitation-store.ts';
import type { PlannedInvitation } from '../../src/data/plan-invitations.ts';
import { features, openOther, openOutbox } from '../setup/open-outbox.ts';

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
  store: InvitationStore,
  emails: readonly string[],
  change: Partial<typeof plan> | object = {},
) =>
  outcomes(
    await store.invitations.plan(
      { ...plan, ...change },
      { recipients: emails.map(recipient), createdBy: 'invitations' },
    ),
  );

/** The stores of two hosts. */
async function openTwo() {
  const keys = [testKey()];
  const opened = await openOutbox({ webhook: false, keys });
  const other = await openOther(opened.url, keys);
  onTestFinished(() => other.close());
  return { ...opened, other };
}

test('an address has one message for each booking, occasion and day, however many hosts plan at once', async () => {
  const { store, other, query } = await openTwo();
  const planned = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      invite(turn % 2 === 0 ? store : other, [turn % 3 === 0 ? ' ANN@example.com' : 'ann@example.com']),
    ),
  );
  expect(planned.flat().filter((outcome) => outcome === 'enqueued')).toHaveLength(1);
  expect(planned.flat().filter((outcome) => outcome === 'known')).toHaveLength(19);
  expect(await invite(store, ['ann@example.com', 'bob@example.com'])).toEqual(['known', 'enqueued']);
  expect(await invite(store, ['ann@example.com'], { day: '2027-06-13' })).toEqual(['enqueued']);
  expect(await invite(store, ['ann@example.com'], { occasion: 'days-before' })).toEqual(['enqueued']);
  expect(await invite(store, ['ann@example.com'], { bookingId: 'b2' })).toEqual(['enqueued']);
  const claimed = await claimAll(store);
  expect(claimed).toHaveLength(5);
  expect(new Set(claimed.map(({ orderingKey }) => orderingKey)).size).toBe(5);
  expect(claimed[0]).toMatchObject({ kind: 'invitation', pool: 'p1', body: '{}', bookingSystem: null });
  expect(
    await query('select count(distinct destination_id)::integer as destinations from invitation_settings'),
  ).toEqual([{ destinations: 1 }]);
  expect(JSON.stringify(await query('select * from invitation'))).not.toContain('@example.com');
});

test('one that was left out makes room for one other, which is as much the only one', async () => {
  const { store, other } = await openTwo();
  const only = async () => {
    const turns = Array.from({ length: 10 }, (_, turn) =>
      invite(turn % 2 === 0 ? store : other, ['ann@example.com']),
    );
    const planned = (await Promise.all(turns)).flat();
    expect(planned.filter((outcome) => outcome === 'enqueued')).toHaveLength(1);
    const [newest] = (await store.invitations.list('p1', { limit: 1 })).items;
    if (newest === undefined) throw new Error('nothing is listed');
    return newest;
  };
  const first = await only();
  const leaveOut = { state: 'left-out', reason: 'switched-off' } as const;
  expect(await store.invitations.move(first, ['waiting'], leaveOut)).toBe(true);
  const second = await only();
  expect(second.id).not.toBe(first.id);
  // The first one stays left out, also for a host that claimed it before.
  expect(await other.invitations.move(first, ['waiting'], { state: 'handing-over' })).toBe(false);
  for (const [from, state] of [
    ['waiting', 'handing-over'],
    ['handing-over', 'in-doubt'],
    ['in-doubt', 'sent'],
    ['sent', 'refused'],
  ] as const) {
    expect(await store.invitations.move(second, [from], { state })).toBe(true);
    expect(await invite(other, ['ann@example.com'])).toEqual(['known']);
  }
  // A link that was withdrawn stays so: it is not looked at again whenever the booking is read.
  await store.invitations.move(second, ['refused'], { state: 'left-out', reason: 'link-revoked' });
  expect(await invite(store, ['ann@example.com'])).toEqual(['known']);
});

test('staff send three times a day to an address, and three hundred times an hour in a pool', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  const send = (email: string, bookingId = 'b1') =>
    store.invitations
      .send({
        ...key,
        bookingId,
        occasion: 'staff',
        day: '2027-06-12',
        recipients: [recipient(email)],
        createdBy: 'a',
      })
      .then(outcomes);
  const sent = await Promise.all(Array.from({ length: 5 }, () => send('ann@example.com')));
  expect(sent.flat().toSorted()).toEqual(['enqueued', 'enqueued', 'enqueued', 'too-many', 'too-many']);
  expect(await send('ann@example.com', 'b2')).toEqual(['enqueued']);
  await query(`insert into invitation (id, pool, booking_system, booking_id, occasion, day, address, address_encrypted,
    guests, created_by, created_at)
    select 'x' || n, 'p1', 'standard', 'b9', 'staff', '2027-06-12', '', '', 1, '', now() from generate_series(1, 296) n`);
  await expect(send('bob@example.com')).rejects.toThrow('as many messages as they may in an hour');
  await query(`update invitation set created_at = now() - interval '61 minutes' where booking_id = 'b9'`);
  expect(await send('bob@example.com')).toEqual(['enqueued']);
});

test('an address that refuses or unsubscribed gets nothing, until that is lifted', async () => {
  const { store } = await openOutbox({ webhook: false });
  const { invitations } = store;
  const id = (email: string) => invitations.addressId('p1', email);
  const refuse = (email: string, reason: 'refused' | 'unsubscribed') =>
    invitations.addRefusal({ pool: 'p1', id: id(email), email, reason, reply: '550 no' });
  await refuse('ann@example.com', 'refused');
  await refuse('bob@example.com', 'unsubscribed');
  // Who unsubscribed stays so, whatever the mail server says.
  await refuse('bob@example.com', 'refused');
  expect(await invite(store, ['Ann@example.com', 'bob@example.com', 'cem@example.com'])).toEqual([
    'refused',
    'unsubscribed',
    'enqueued',
  ]);
  const first = await invitations.listRefusals('p1', { limit: 1 });
  const second = await invitations.listRefusals('p1', { limit: 1, cursor: first.next ?? '' });
  expect(
    [...first.items, ...second.items].map(({ email, reason }) => `${email} ${reason}`).toSorted(),
  ).toEqual(['ann@example.com refused', 'bob@example.com unsubscribed']);
  expect(second.next).toBeNull();
  expect(await invitations.removeRefusal('p1', id('ann@example.com'))).toBe(true);
  expect(await invitations.removeRefusal('p2', id('bob@example.com'))).toBe(false);
  expect(await invite(store, ['ann@example.com'])).toEqual(['enqueued']);
  // Of another pool it is another address.
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  expect(await invitations.refusal('p2', 'bob@example.com')).toBeUndefined();
});

test('a message moves only from the state that is expected, and is listed newest first', async () => {
  const { store } = await openOutbox({ webhook: false });
  await invite(store, ['ann@example.com']);
  await invite(store, ['ann@example.com'], { bookingId: 'b2' });
  const { items } = await store.invitations.list('p1', { limit: 1 });
  const [message] = items;
  if (message === undefined) throw new Error('nothing is listed');
  expect(message).toMatchObject({
    bookingId: 'b2',
    email: 'ann@example.com',
    state: 'waiting',
    isGivenUp: false,
  });
  const moves = await Promise.all(
    [1, 2, 3].map(() => store.invitations.move(message, ['waiting'], { state: 'handing-over' })),
  );
  expect(moves.toSorted()).toEqual([false, false, true]);
  expect(await store.invitations.move(message, ['waiting'], { state: 'sent' })).toBe(false);
  expect(await store.invitations.move(message, ['handing-over'], { state: 'sent' })).toBe(true);
  expect(await store.invitations.get(message.id)).toMatchObject({ state: 'sent', endedAt: expect.any(Date) });
  expect((await store.invitations.list('p1', { limit: 9, bookingId: 'b1' })).items).toHaveLength(1);
});

test('one host at a time looks through a pool, and asks a booking system for its bookings', async () => {
  const { store, other } = await openTwo();
  expect(await store.invitations.claimPools({ limit: 5, leaseMs: 60_000 })).toEqual([]);
  await store.invitations.putSettings('p1', { enabled: true, content: '{}' });
  const claims = await Promise.all(
    [store, other, store, other].map(({ invitations }) =>
      invitations.claimPools({ limit: 5, leaseMs: 60_000 }),
    ),
  );
  expect(claims.flat()).toEqual(['p1']);
  await store.invitations.finishPool('p1', 0);
  expect(await other.invitations.claimPools({ limit: 5, leaseMs: 60_000 })).toEqual(['p1']);
  const listings = await Promise.all(
    [store, other, store].map(({ invitations }) => invitations.claimListing(key, 60_000)),
  );
  expect(listings.toSorted()).toEqual([false, false, true]);
});

test('uninstalling ends what was planned for its bookings', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await invite(store, ['ann@example.com'], { problem: 'no-form' });
  await store.invitations.claimListing(key, 60_000);
  await store.installations.uninstall({ pool: 'p1', bookingSystem: 'standard' });
  expect(await query('select from invitation_plan union all select from invitation_listing')).toEqual([]);
});

test('an address that many bookings name gets a few messages a day; the rest is left out, for all to see', async () => {
  const { store, other, query } = await openTwo();
  const planAll = () =>
    Promise.all(
      Array.from({ length: 40 }, (_, turn) =>
        invite(turn % 2 === 0 ? store : other, ['victim@example.com'], { bookingId: `flood ${turn}` }),
      ),
    );
  const count = (planned: readonly (readonly string[])[], outcome: string) =>
    planned.flat().filter((each) => each === outcome).length;
  const first = await planAll();
  expect([count(first, 'enqueued'), count(first, 'too-many')]).toEqual([6, 34]);
  expect(await claimAll(store)).toHaveLength(6);
  const listed = (await store.invitations.list('p1', { limit: 100 })).items;
  const leftOut = listed.filter(({ state }) => state === 'left-out');
  expect([listed.length, leftOut.length, leftOut[0]?.reason]).toEqual([40, 34, 'too-many']);
  // A booking that is read again is neither sent nor listed again.
  expect(count(await planAll(), 'known')).toBe(40);
  expect((await store.invitations.list('p1', { limit: 100 })).items).toHaveLength(40);
  expect(await invite(store, ['other@example.com'])).toEqual(['enqueued']);
  const staff = { ...plan, occasion: 'staff' as const, recipients: [recipient('victim@example.com')] };
  expect(outcomes(await store.invitations.send({ ...staff, createdBy: 'ann' }))).toEqual(['too-many']);

  expect(JSON.stringify(await query('select * from mail_budget'))).not.toContain('victim');
  await query('update mail_budget set day = day - 1');
  expect(await invite(store, ['victim@example.com'], { bookingId: 'tomorrow' })).toEqual(['enqueued']);
});

test('the messages of all pools to an address are limited, too', async () => {
  const { store } = await openTwo();
  const planned: string[] = [];
  for (const pool of ['p2', 'p3', 'p4']) {
    await store.pools.put({ id: pool, name: pool });
    for (let booking = 0; booking < 6; booking += 1)
      planned.push(...(await invite(store, ['victim@example.com'], { pool, bookingId: `b${booking}` })));
  }
  expect(planned.filter((outcome) => outcome === 'enqueued')).toHaveLength(15);
});

/** Domains that lead to the mail server of `example.com`, as anyone may write them. */
const spellings = [
  'ｅxample.com',
  'e\u00adxample.com',
  'example。com',
  'ＥＸＡＭＰＬＥ．ＣＯＭ',
  '𝐞xample.com',
];

test('an address has one budget, however its domain is written, and is unsubscribed in any script', async () => {
  const { store } = await openTwo();
  const planned: string[] = [];
  for (const [turn, domain] of [...spellings, ...spellings, 'example.com'].entries())
    planned.push(...(await invite(store, [`victim@${domain}`], { bookingId: `b${turn}` })));
  expect(planned.filter((outcome) => outcome === 'enqueued')).toHaveLength(6);

  const { invitations } = store;
  const id = invitations.addressId('p1', 'info@käse.example');
  await invitations.addRefusal({ pool: 'p1', id, email: null, reason: 'unsubscribed', reply: null });
  for (const email of ['info@xn--kse-qla.example', 'INFO@KÄSE.example', 'info@ka\u0308se.example'])
    expect(await invite(store, [email])).toEqual(['unsubscribed']);
  // What cannot be a domain is not another's.
  expect(invitations.addressId('p1', 'a@xn--ü')).not.toBe(invitations.addressId('p1', 'a@xn--ä'));
});

test('bookings that write addresses differently are planned at once, and none waits for the other for good', async () => {
  const { store, other } = await openTwo();
  // In the order of the texts, each of these has another mailbox first.
  const pairs = [
    [store, ['a+1@example.com', 'a-b@example.com']],
    [other, ['a-b@example.com', 'a@example.com']],
    [store, ['m@ａ.example', 'm@k.example']],
    [other, ['m@a.example', 'm@k.example']],
  ] as const;
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      pairs.map(([host, emails], pair) => invite(host, emails, { bookingId: `b${round} ${pair}` })),
    );
});

test('tags make no other mailbox: of invitations, of copies and of codes', async () => {
  const { store, query } = await openTwo();
  const tagged = (turn: number) => `victim+${turn}@example.com`;
  const planned: string[] = [];
  for (let turn = 0; turn < 20; turn += 1)
    planned.push(...(await invite(store, [tagged(turn)], { bookingId: `b${turn}` })));
  expect(planned.filter((outcome) => outcome === 'enqueued')).toHaveLength(15);

  const form = await publishForm(store);
  for (let turn = 0; turn < 20; turn += 1) {
    const copyTo = { email: tagged(turn), language: 'en' };
    await store.signings.store(newSigning(form, [{ name: 'Ann' }], { copyTo }));
  }
  expect(await query('select count(*)::integer as sent from copy_mail')).toEqual([{ sent: 15 }]);
});

test('who has a link has a few codes a day sent to an address', async () => {
  const { store, query } = await openTwo();
  const expiresAt = new Date(Date.now() + 3_600_000);
  const nowhere = { bookingSystem: null, bookingId: null, bookingGuestId: null };
  const { link } = await store.checkInLinks.create('p1', { ...nowhere, expiresAt, createdBy: 'test' });
  const ask = (email: string) =>
    store.returningCodes.create({ pool: 'p1', link: link.id, email }, { ofEmail: 3, ofLink: 1_000 });
  const later = () => query(`update returning_code set created_at = created_at - interval '16 minutes'`);
  let made = 0;
  for (let turn = 0; turn < 30; turn += 1) {
    if ((await ask('victim@example.com')) !== undefined) made += 1;
    if (turn % 3 === 2) await later();
  }
  expect(made).toBe(15);
  expect(await query('select count(*)::integer as codes from returning_code')).toEqual([{ codes: 15 }]);
  expect(await ask('other@example.com')).toBeDefined();
  await query('update mail_budget set day = day - 1');
  expect(await ask('victim@example.com')).toBeDefined();
});

test('old messages, plans and blocks are removed, but none of a day that may still come', async () => {
  const { query, url } = await openOutbox({ webhook: false });
  const message = (id: string, age: string, day: string) =>
    query(
      `insert into invitation (id, pool, booking_system, booking_id, occasion, day, address, address_encrypted, guests,
        created_by, created_at)
      values ($1, 'p1', 'standard', 'b1', 'staff', current_date + $3::integer, '', '', 1, '', now() - $2::interval)`,
      [id, age, day],
    );
  await message('old', '11 days', '-5');
  await message('young', '9 days', '-5');
  await message('its-day-comes', '11 days', '-1');
  for (const [booking, day] of [
    ['past', '-3'],
    ['near', '-2'],
  ])
    await query(
      `insert into invitation_plan (pool, booking_system, booking_id, occasion, day)
      values ('p1', 'standard', $1, 'morning-of', current_date + $2::integer)`,
      [booking, day],
    );
  // Before its block: the store that is open prunes, too.
  await query(`insert into upcoming_booking values ('p1', 'standard', 'moved', now(), now())`);
  for (const [booking, age] of [
    ['over', '1 hour'],
    ['moved', '1 hour'],
    ['new', '-1 hour'],
  ])
    await query(
      `insert into invitation_block (pool, booking_system, booking_id, guest, prune_at)
      values ('p1', 'standard', $1, '', now() - $2::interval)`,
      [booking, age],
    );
  expect(await pruneRows(url, features)).toBe(false);
  expect(await query('select id from invitation order by id')).toEqual([
    { id: 'its-day-comes' },
    { id: 'young' },
  ]);
  expect(await query('select booking_id from invitation_plan')).toEqual([{ booking_id: 'near' }]);
  expect(await query('select booking_id from invitation_block order by 1')).toEqual([
    { booking_id: 'moved' },
    { booking_id: 'new' },
  ]);
});
