import { createHash } from 'node:crypto';
import { untilBlocked } from '@waiver-service/database/testing';
import { verifyEvidence } from '@waiver-service/evidence';
import { createOverviews } from '@waiver-service/operations/data';
import { testKey } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { SigningStore } from '../../src/data/signing-store.ts';
import { newSigning, publishForm } from '../../src/testing/data.ts';
import { openOther, openOutbox } from '../setup/open-test-store.ts';

const family = [
  { name: 'planted Ann', bookingGuestId: 'g1' },
  { name: 'planted Ben', bookingGuestId: 'g2', health: 'planted asthma' },
  { name: 'planted Cleo' },
];

async function open(keys = [testKey()]) {
  const opened = await openOutbox({ keys });
  // A job ends what was begun by a link that is not there.
  await opened.query(`insert into check_in_link (id, pool, hash, created_by, expires_at, prune_at)
    values ('l1', 'p1', '\\x00', 'test', now() + interval '1 day', now() + interval '1 day')`);
  return { ...opened, keys, form: await publishForm(opened.store) };
}

/** The verifier's report on a waiver's signing, once it is sealed and has so many later records. */
async function verified(store: SigningStore, waiver: string, later = 0) {
  await expect.poll(async () => (await store.signings.evidence('p1', waiver))?.file.later.length).toBe(later);
  await expect.poll(async () => (await store.signings.ofWaiver('p1', waiver))?.isSealed).toBe(true);
  const evidence = await store.signings.evidence('p1', waiver);
  const findings = verifyEvidence(JSON.stringify(evidence?.file));
  return (status: string) =>
    findings.filter((each) => each.status === status).map(({ sentence }) => sentence);
}

test('of the same signing sent by two connections at once, one stores it and both get its waivers', async () => {
  const { store, form } = await open();
  const signing = newSigning(form, family);
  const results = await Promise.all([1, 2, 3, 4].map(() => store.signings.store(signing)));
  expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['same', 'same', 'same', 'signed']);
  expect(new Set(results.map((each) => JSON.stringify('signing' in each && each.signing))).size).toBe(1);
});

test('each finished page is an update; the signing completes it, and voids a guest who was left out since', async () => {
  const { store, form } = await open();
  const signing = newSigning(form, family.slice(0, 2));
  const page = (currentPage: string, names: readonly string[]) => ({
    ...signing,
    currentPage,
    waivers: names.map((name) => ({ ...signing.waivers[0], answers: { name, [currentPage]: 'answered' } })),
  });
  expect(await store.signings.storePage(page('first', ['Ann', 'Ben', 'Cleo']))).toBe('stored');
  expect(await store.signings.storePage(page('second', ['Ann', 'Ben', 'Cleo']))).toBe('stored');
  const id = (guest: number) => `${signing.id}-${guest}`;
  expect(await store.waivers.get('p1', id(3))).toMatchObject({
    currentPage: 'second',
    version: 2,
    answers: { name: 'Cleo', second: 'answered' },
  });
  expect(await store.signings.store(signing)).toMatchObject({ outcome: 'signed' });
  expect(await store.waivers.get('p1', id(1))).toMatchObject({
    currentPage: null,
    version: 3,
    answers: { name: 'planted Ann' },
  });
  expect(await store.waivers.get('p1', id(3))).toMatchObject({ deleted: true });
  expect(await store.signings.storePage(page('second', ['Ann']))).toBe('signed');
});

test.each([1, 0])(
  'a page that is stored beside the signing does not undo it, where %s came before',
  async (pages) => {
    const { store, form, query, url } = await open();
    const signing = newSigning(form, family.slice(0, 1));
    const page = { ...signing, currentPage: 'second' };
    if (pages > 0) await store.signings.storePage({ ...page, currentPage: 'first' });
    const blocking = new Client({ connectionString: url });
    await blocking.connect();
    await blocking.query('begin');
    await blocking.query('lock table waiver in share mode');
    const [first, second] =
      pages > 0
        ? [() => store.signings.store(signing), () => store.signings.storePage(page)]
        : [() => store.signings.storePage(page), () => store.signings.store(signing)];
    const storing = [first()];
    await untilBlocked(query);
    storing.push(second());
    await untilBlocked(query, 2);
    await blocking.query('commit');
    await blocking.end();
    expect(await Promise.all(storing)).toContainEqual(expect.objectContaining({ outcome: 'signed' }));
    expect(await store.waivers.get('p1', `${signing.id}-1`)).toMatchObject({ currentPage: null });
  },
);

test('a guest who was left out and added again is signed for', async () => {
  const { store, form } = await open();
  const signing = newSigning(form, family);
  const page = (guests: number) => ({
    ...signing,
    currentPage: 'first',
    waivers: signing.waivers.slice(0, guests),
  });
  for (const guests of [3, 2, 3]) expect(await store.signings.storePage(page(guests))).toBe('stored');
  expect(await store.signings.store(signing)).toMatchObject({ outcome: 'signed' });
  expect(await store.waivers.get('p1', `${signing.id}-3`)).toMatchObject({
    currentPage: null,
    deleted: false,
  });
});

test('a waiver that was voided between two pages is not signed', async () => {
  const { store, form } = await open();
  const signing = newSigning(form, family.slice(0, 1));
  await store.signings.storePage({ ...signing, currentPage: 'first' });
  await store.waivers.void('p1', `${signing.id}-1`);
  expect(await store.signings.store(signing)).toEqual({ outcome: 'waiver-gone' });
  expect(await store.signings.ofWaiver('p1', `${signing.id}-1`)).toBeUndefined();
});

test.each([
  ['at once', 0],
  ['after a page', 1],
])(
  'a record that was signed %s is sealed, verifies, and so do its voids and corrections',
  async (_, pages) => {
    const { store, form } = await open();
    const signing = newSigning(form, family);
    if (pages > 0) await store.signings.storePage({ ...signing, currentPage: 'first' });
    await store.signings.store(signing);
    const sealed = await verified(store, `${signing.id}-1`);
    expect(sealed('changed')).toEqual([]);
    expect(sealed('proven').length).toBeGreaterThan(1);
    await store.waivers.update(
      'p1',
      `${signing.id}-1`,
      { answers: { name: 'Anne' } },
      { by: { id: 'x', name: null } },
    );
    await store.waivers.void('p1', `${signing.id}-2`);
    const later = await verified(store, `${signing.id}-1`, 2);
    expect(later('changed')).toEqual([]);
  },
);

test('signings of many guests at once make one chain without gaps', async () => {
  const { store, form, query } = await open();
  const signings = Array.from({ length: 40 }, (_, index) => newSigning(form, [{ name: `Guest ${index}` }]));
  await Promise.all(signings.map((signing) => store.signings.store(signing)));
  await expect
    .poll(async () => (await createOverviews(store.context).readFigures()).sealingDelaySeconds)
    .toBe(0);
  const [chain] = await query(`
    select count(*)::integer as entries, max(e.sequence)::integer as last,
      count(*) filter (where f.head is null and e.sequence > 1)::integer as gaps
    from evidence_entry e left join evidence_entry f on f.pool = e.pool and f.sequence = e.sequence - 1`);
  expect(chain).toEqual({ entries: 40, last: 40, gaps: 0 });
});

test('of two hosts that remove the last two guests of a signing at once, one removes what is left of it', async () => {
  const { store, form, query, url } = await open();
  const signing = newSigning(form, family);
  await store.signings.store(signing);
  const remove = (guest: number) => `delete from waiver where id = '${signing.id}-${guest}'`;
  await query(remove(1));
  expect(await query('select from signing_part where salt is not null')).not.toEqual([]);
  const hosts = [new Client({ connectionString: url }), new Client({ connectionString: url })] as const;
  for (const host of hosts) {
    await host.connect();
    await host.query('begin');
  }
  const [first, second] = hosts;
  await first.query(remove(2));
  const later = second.query(remove(3)).then(() => second.query('commit'));
  await expect
    .poll(() =>
      query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%${signing.id}-3%'`),
    )
    .toHaveLength(1);
  await first.query('commit');
  await later;
  for (const host of hosts) await host.end();
  for (const table of ['signing_part', 'signing_entry']) {
    expect(await query(`select from ${table} where salt is not null`)).toEqual([]);
  }
});

test('a health answer goes when its days are over, and the record still verifies', async () => {
  const { store, form, query, url, keys } = await open();
  const signing = newSigning(form, family);
  await store.signings.store(signing);
  await verified(store, `${signing.id}-1`);
  expect(await query(`select body from signing_entry where part = 'sensitive'`)).toEqual([{ body: null }]);
  await query(`update signing_entry set erase_at = now() where part = 'sensitive'`);
  // The job runs at the start, and then by the hour.
  const other = await openOther(url, keys);
  try {
    await expect
      .poll(() => query(`select body_encrypted from signing_entry where part = 'sensitive'`))
      .toEqual([{ body_encrypted: null }]);
    const rest = await verified(store, `${signing.id}-1`, 1);
    expect(rest('changed')).toEqual([]);
    expect(rest('erased').length).toBeGreaterThan(0);
  } finally {
    await other.close();
  }
});

test('what retention removes takes what was signed along', async () => {
  const { store, form, query } = await open();
  const signing = newSigning(form, family.slice(0, 1));
  await store.signings.store(signing);
  await query('delete from waiver');
  expect(await query('select from signing_entry where salt is not null')).toEqual([]);
  expect(await query('select count(*)::integer as count from signing')).toEqual([{ count: 1 }]);
});

test('a link and a pool have so much stored in a day, by all hosts together; staff are not held to it', async () => {
  const { store, form, query, url, keys } = await open();
  const other = await openOther(url, keys);
  onTestFinished(() => other.close());
  const sign = async (host: SigningStore, change: object = {}) =>
    (await host.signings.store({ ...newSigning(form, [{ name: 'Ann' }]), ...change })).outcome;
  const page = (host: SigningStore, link: string) => {
    const signing = newSigning(form, [{ name: 'Ann' }, { name: 'Bo' }]);
    return host.signings.storePage({ ...signing, link, currentPage: 'more' });
  };
  expect([await sign(store, { link: 'desk' }), await sign(other, { link: 'desk' })]).toEqual([
    'signed',
    'signed',
  ]);
  expect(await page(store, 'desk')).toBe('stored');
  const of = (link: string) =>
    query(`select signings, pages, bytes > 0 as "hasBytes" from guest_budget where link = '${link}'`);
  // A page of two guests counts for each.
  expect(await of('desk')).toEqual([{ signings: 2, pages: 2, hasBytes: true }]);
  expect(await of('')).toEqual([{ signings: 2, pages: 2, hasBytes: true }]);

  await query(`update guest_budget set signings = 9999, pages = 100000 where link = 'desk'`);
  const outcomes = await Promise.all([store, other, store].map((host) => sign(host, { link: 'desk' })));
  expect(outcomes.toSorted()).toEqual(['link-day-full', 'link-day-full', 'signed']);
  expect(await page(other, 'desk')).toBe('link-day-full');
  expect(await sign(store, { link: 'desk', isByStaff: true })).toBe('signed');
  expect(await sign(store, { link: 'other' })).toBe('signed');

  await query(`update guest_budget set bytes = 20 * 1024::bigint ^ 3 where link = ''`);
  expect([await sign(store, { link: 'other' }), await page(store, 'other')]).toEqual([
    'pool-day-full',
    'pool-day-full',
  ]);
  await query(`update guest_budget set day = day - 1`);
  expect(await sign(store, { link: 'desk' })).toBe('signed');
});

const late = (
  number: number,
  link: string | null,
  reason = link === null ? 'link_unknown' : 'link_expired',
) => ({
  pool: 'p1',
  signing: null,
  link,
  bookingSystem: null,
  bookingId: null,
  reason,
  summary: '{}',
  body: `${link} ${number}`,
  contentHash: createHash('sha256').update(`${link} ${number} ${reason}`).digest('hex'),
  emails: [],
});

test('signings that name no link of the pool leave room for those that do', async () => {
  const { store } = await openOutbox({ webhook: false });
  const outcomes = await Promise.all(
    Array.from({ length: 199 }, (_, number) => store.lateSignings.keep(late(number, null))),
  );
  expect(new Set(outcomes)).toEqual(new Set(['kept']));
  expect(await store.lateSignings.keep(late(199, null))).toBe('kept');
  expect(await store.lateSignings.keep(late(200, null))).toBe('full');
  expect(await store.lateSignings.keep(late(0, 'withdrawn', 'link_revoked'))).toBe('full');
  expect(await store.lateSignings.keep({ ...late(0, 'stolen', 'kiosk_revoked'), isAtKiosk: true })).toBe(
    'full',
  );
  expect(await store.lateSignings.keep(late(0, 'a link'))).toBe('kept');
});

test('one link leaves at most 30 signings, or 64 MiB, however many arrive at once', async () => {
  const { store } = await openOutbox({ webhook: false });
  const keep = (link: string, count: number, change: object = {}) =>
    Promise.all(
      Array.from({ length: count }, (_, number) =>
        store.lateSignings.keep({ ...late(number, link), ...change }),
      ),
    );
  const kept = (outcomes: readonly string[]) => outcomes.filter((outcome) => outcome === 'kept').length;
  expect(kept(await keep('flood', 60))).toBe(30);
  expect(kept(await keep('withdrawn', 40, { reason: 'link_revoked' }))).toBe(30);
  expect(kept(await keep('kiosk', 60, { isAtKiosk: true }))).toBe(60);
  const large = { body: 'x'.repeat(12 * 1024 ** 2) };
  expect(kept(await keep('large', 8, large))).toBe(3);
  expect(kept(await keep('honest', 5))).toBe(5);
});
