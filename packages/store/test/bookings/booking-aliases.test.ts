import type { ClaimedDelivery } from '@waiver-service/outbox';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import {
  claimAll,
  claimOne,
  deliver,
  fetchedBooking,
  finish,
  install,
  lose,
  loseWorker,
  refuse,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { pruneRows } from '../../src/testing/pruning.ts';
import { openOutbox, standard } from '../setup/open-test-store.ts';
import { readPages } from '../setup/read-pages.ts';

const read = { ...standard, bookingId: 'b1', alias: 'code' };

async function opened(options: Parameters<typeof openOutbox>[0] = {}) {
  const outbox = await openOutbox({ webhook: false, writeUnit: 'booking', ...options });
  const { store } = outbox;
  return {
    ...outbox,
    sign: (id: string, bookingId: string) => store.waivers.create(waiver({ id, bookingId })),
    ownId: (bookingId: string) => store.bookings.ownId({ ...standard, bookingId }),
    idsSigned: async (bookingId: string) =>
      (await store.waivers.forBooking({ ...standard, bookingId })).map(({ id }) => id),
    idsListed: async (bookingId: string) =>
      (await store.waivers.list('p1', { bookingId, limit: 10 })).items.map(({ id }) => id),
  };
}

type Opened = Awaited<ReturnType<typeof opened>>;

let context: Opened;
beforeEach(async () => {
  context = await opened();
});

describe('waivers and reads by either id meet', () => {
  test('signed before the alias was known, and after', async () => {
    const { store, sign, idsSigned, idsListed } = context;
    await sign('w1', 'code');
    await sign('w2', 'b1');
    expect(await idsSigned('b1')).toEqual(['w2']);
    expect(await store.bookings.addAlias(read)).toBe('noted');
    await sign('w3', 'code');
    await sign('w4', 'elsewhere');
    for (const id of ['b1', 'code']) {
      expect((await idsSigned(id)).toSorted()).toEqual(['w1', 'w2', 'w3']);
      expect((await idsListed(id)).toSorted()).toEqual(['w1', 'w2', 'w3']);
    }
    expect(await idsListed('elsewhere')).toEqual(['w4']);
    expect(await store.waivers.get('p1', 'w1')).toMatchObject({ bookingId: 'code' });
  });

  test('a list keeps another booking system’s booking of the same id apart', async () => {
    const { store, sign, idsListed } = context;
    await install(store, { bookingSystem: 'standard-query', accountId: 'a2' });
    await store.bookings.addAlias(read);
    await sign('w1', 'b1');
    await store.waivers.create(waiver({ id: 'w2', bookingSystem: 'standard-query', bookingId: 'b1' }));
    await store.waivers.create(waiver({ id: 'w3', bookingSystem: 'standard-query', bookingId: 'code' }));
    expect((await idsListed('code')).toSorted()).toEqual(['w1', 'w3']);
    expect((await idsListed('b1')).toSorted()).toEqual(['w1', 'w2']);
  });

  test('pages of a list by an alias have no gap and no repetition', async () => {
    const { store, sign } = context;
    await store.bookings.addAlias(read);
    const ids = Array.from({ length: 7 }, (_, number) => `w${number}`);
    for (const [number, id] of ids.entries()) await sign(id, number % 2 === 0 ? 'b1' : 'code');
    const query = { bookingId: 'code', limit: 2 };
    const pages = await readPages((cursor) => store.waivers.list('p1', { ...query, cursor }));
    const found = pages.flat().map(({ id }) => id);
    expect(found).toEqual(ids);
  });

  test('the last valid response and its sessions are those of the own id', async () => {
    const { store, sign } = context;
    await store.bookings.addAlias(read);
    await store.bookings.save({ ...read, fetched: fetchedBooking() });
    expect(await store.bookings.get('p1', 'standard', 'code')).toMatchObject({
      bookingId: 'b1',
      fetched: { booking: { id: 'b1' } },
    });
    expect(await sign('w1', 'code')).toMatchObject({ record: { lastVisitSource: 'session' } });
  });

  test('a last visit is corrected under an alias that is learned later', async () => {
    const { store, sign } = context;
    await store.bookings.saveIfNew({ ...read, fetched: fetchedBooking() }, 'v1');
    await sign('w1', 'other');
    expect(await store.waivers.get('p1', 'w1')).toMatchObject({ lastVisitSource: 'created' });
    await store.bookings.addAlias({ ...read, alias: 'other' });
    await store.bookings.saveIfNew({ ...read, fetched: fetchedBooking() }, 'v1');
    expect(await store.waivers.get('p1', 'w1')).toMatchObject({ lastVisitSource: 'session', version: 2 });
  });
});

describe('which id is the own one', () => {
  test('an alias of an alias leads to the last one', async () => {
    const { store, ownId } = context;
    await store.bookings.addAlias({ ...standard, alias: 'a', bookingId: 'b' });
    await store.bookings.addAlias({ ...standard, alias: 'b', bookingId: 'c' });
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(ownId))).toEqual(['c', 'c', 'c', 'd']);
    // An answer that was on its way while the booking was rebooked.
    await store.bookings.addAlias({ ...standard, alias: 'z', bookingId: 'a' });
    expect(await ownId('z')).toBe('c');
  });

  test('of two ids that lead to one another, the newer answer counts, and the change is announced', async () => {
    const { store, ownId } = context;
    await store.bookings.addAlias({ ...standard, alias: 'a', bookingId: 'b' });
    await store.bookings.addAlias({ ...standard, alias: 'c', bookingId: 'b' });
    expect(await store.bookings.addAlias({ ...standard, alias: 'b', bookingId: 'a' })).toBe('contradicted');
    expect(await Promise.all(['a', 'b', 'c'].map(ownId))).toEqual(['a', 'a', 'a']);
  });

  test('hosts that learn at once never leave an alias that leads to an alias', async () => {
    const { store, query } = context;
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      ids
        .slice(1)
        .map((bookingId, place) =>
          store.bookings.addAlias({ ...standard, alias: ids[place] ?? '', bookingId }),
        ),
    );
    const chained = 'select 1 from booking_alias a join booking_alias b on b.alias = a.booking_id';
    expect(await query(chained)).toEqual([]);
  });

  test('pools and booking systems have their own', async () => {
    const { store } = context;
    await store.pools.put({ id: 'p2', name: 'Two' });
    await store.bookings.addAlias(read);
    expect(await store.bookings.ownId({ ...read, pool: 'p2', bookingId: 'code' })).toBe('code');
    expect(await store.bookings.ownId({ ...read, bookingSystem: 'other', bookingId: 'code' })).toBe('code');
    expect(await store.bookings.addAlias({ ...read, pool: 'p2' })).toBe('not-installed');
  });
});

/** Gives a message back as its sender does that finds another own id. */
const move = (store: Store, claimed: ClaimedDelivery, bookingId = 'b1') =>
  finish(store, claimed, { kind: 'release', waitMs: 0, bookingId }, null);

/** Sends all due messages as the host does, moving those in the lane of an alias. @returns them in the order sent */
async function sendAll({ store, ownId }: Opened): Promise<string[]> {
  const sent: string[] = [];
  for (let claimed = await claimAll(store); claimed.length > 0; claimed = await claimAll(store)) {
    const lanes = claimed.map(({ destination, orderingKey }) => `${destination} ${orderingKey}`);
    expect(new Set(lanes).size, 'one of each lane').toBe(lanes.length);
    for (const each of claimed) {
      const own = await ownId(each.bookingId ?? '');
      if (each.orderingKey !== own) await move(store, each, own);
      else {
        sent.push(`${each.waiverId} ${each.version}`);
        await deliver(store, each);
      }
    }
  }
  return sent;
}

const statesOf = async ({ store }: Opened, id: string) =>
  (await store.waivers.deliveriesOf('p1', id)).map(({ version, state }) => `${version} ${state}`);

describe('the lane of a booking is one', () => {
  test('a waiver signed under an alias is sent from the lane of the own id', async () => {
    const { store, sign } = context;
    await sign('w1', 'code');
    await sign('w2', 'b1');
    await store.bookings.addAlias(read);
    const [first] = await claimAll(store);
    expect(first).toMatchObject({ waiverId: 'w1', orderingKey: 'code', bookingId: 'code' });
    for (const each of await claimAll(store)) expect(each.waiverId).not.toBe('w1');
    if (first) await move(store, first);
    expect(await claimAll(store), 'w2 is being sent in that lane').toEqual([]);
    expect(await store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([
      { state: 'waiting', bookingId: 'b1' },
    ]);
  });

  test('a waiver signed under a known alias joins that lane at once, and supersedes in it', async () => {
    const { store, sign } = context;
    await store.bookings.addAlias(read);
    await sign('w1', 'code');
    await store.waivers.update('p1', 'w1', { bookingId: 'b1' });
    expect(await claimOne(store)).toMatchObject({ orderingKey: 'b1', bookingId: 'b1', version: 2 });
    expect(await statesOf(context, 'w1')).toEqual(['2 sending', '1 superseded']);
  });

  test('a newer version does not pass one that waits under an alias', async () => {
    const { store, sign } = context;
    await sign('w1', 'code');
    const inDoubt = await claimOne(store);
    await lose(store, inDoubt);
    await store.bookings.addAlias(read);
    await store.waivers.update('p1', 'w1', { currentPage: 'two' });
    await sign('w2', 'code');
    expect(await sendAll(context)).toEqual(['w2 1', 'w1 1', 'w1 2']);
  });

  test('messages ordered by waiver stay where they are, under the own id', async () => {
    const byWaiver = await opened({ writeUnit: 'waiver' });
    await byWaiver.sign('w1', 'code');
    await byWaiver.store.bookings.addAlias(read);
    const claimed = await claimOne(byWaiver.store);
    expect(claimed).toMatchObject({ orderingKey: 'w1', bookingId: 'code' });
    await move(byWaiver.store, claimed);
    const moved = await claimOne(byWaiver.store);
    expect(moved).toMatchObject({ orderingKey: 'w1', bookingId: 'b1' });
    await refuse(byWaiver.store, moved);
    await byWaiver.store.waivers.update('p1', 'w1', { currentPage: 'two' });
    expect(await statesOf(byWaiver, 'w1')).toEqual(['2 waiting', '1 superseded']);
  });

  test('a newer version supersedes one that waits in the waiver’s own lane under an alias', async () => {
    const byWaiver = await opened({ writeUnit: 'waiver' });
    await byWaiver.sign('w1', 'code');
    await byWaiver.store.bookings.addAlias(read);
    await byWaiver.store.waivers.update('p1', 'w1', { currentPage: 'two' });
    expect(await statesOf(byWaiver, 'w1')).toEqual(['2 waiting', '1 superseded']);
  });

  test('moved messages survive their dispatcher', async () => {
    const { store, sign } = context;
    await sign('w1', 'code');
    await store.bookings.addAlias(read);
    await move(store, await claimOne(store));
    await claimOne(store);
    await loseWorker(store);
    expect(await claimOne(store)).toMatchObject({ waiverId: 'w1', orderingKey: 'b1', inDoubt: true });
  });

  test('a delivery that is reopened under an alias does not come after a newer version', async () => {
    const { store, sign } = context;
    await sign('w1', 'code');
    const [dead] = [await claimOne(store)];
    await finish(store, dead, { kind: 'dead' });
    await store.bookings.addAlias(read);
    await store.waivers.update('p1', 'w1', { currentPage: 'two' });
    expect(await sendAll(context)).toEqual(['w1 2']);
    await store.deliveries.retry(dead.id);
    expect(await sendAll(context)).toEqual([]);
    expect(await statesOf(context, 'w1')).toEqual(['2 delivered', '1 superseded']);
  });
});

describe('a record that went from one id to the other', () => {
  beforeEach(async () => {
    await context.sign('w1', 'code');
    expect(await sendAll(context)).toEqual(['w1 1']);
  });

  test('is not taken back once the alias is known, even if the newer message has gone out', async () => {
    const { store } = context;
    await store.waivers.update('p1', 'w1', { bookingId: 'b1' });
    const own = (await claimAll(store)).find(({ bookingId }) => bookingId === 'b1');
    if (own) await deliver(store, own);
    await loseWorker(store);
    await store.bookings.addAlias(read);
    const takeback = await claimOne(store);
    expect(takeback).toMatchObject({ bookingId: 'code', version: 2 });
    await move(store, takeback);
    expect(await sendAll(context)).toEqual([]);
    expect(await statesOf(context, 'w1')).toEqual(['3 delivered', '2 cancelled', '1 delivered']);
  });

  test('is still taken back from another guest of the booking', async () => {
    const { store } = context;
    await store.waivers.update('p1', 'w1', { bookingId: 'b1', bookingGuestId: 'g2' });
    await store.bookings.addAlias(read);
    expect((await sendAll(context)).toSorted()).toEqual(['w1 2', 'w1 3']);
  });

  test('is taken back where it has left the booking', async () => {
    const { store } = context;
    await store.waivers.update('p1', 'w1', { bookingId: 'elsewhere' });
    await store.bookings.addAlias(read);
    expect((await sendAll(context)).toSorted()).toEqual(['w1 2', 'w1 3']);
  });

  test('is one version where the alias is known already', async () => {
    const { store } = context;
    await store.bookings.addAlias(read);
    expect(await store.waivers.update('p1', 'w1', { bookingId: 'b1' })).toMatchObject({
      record: { version: 2, bookingId: 'b1' },
    });
    const back = { bookingId: 'code', answers: { name: null } };
    expect(await store.waivers.update('p1', 'w1', back)).toMatchObject({
      record: { version: 3, bookingId: 'code' },
    });
  });
});

describe('aliases go', () => {
  test('with the installation, and none is noted after it', async () => {
    const { store, ownId } = context;
    await store.bookings.addAlias(read);
    await store.installations.uninstall(standard);
    expect(await ownId('code')).toBe('code');
    expect(await store.bookings.addAlias(read)).toBe('not-installed');
    expect(await ownId('code')).toBe('code');
  });

  test('when they are old and no waiver needs them', async () => {
    const { store, query, url, sign, ownId } = context;
    await store.bookings.addAlias(read);
    await store.bookings.addAlias({ ...standard, alias: 'unused', bookingId: 'b2' });
    await store.bookings.addAlias({ ...standard, alias: 'new', bookingId: 'b3' });
    await sign('w1', 'b1');
    await query(`update booking_alias set prune_at = now() where alias <> 'new'`);
    await pruneRows(url);
    expect(await Promise.all(['code', 'unused', 'new'].map(ownId))).toEqual(['b1', 'unused', 'b3']);
    expect(await query('select 1 from booking_alias where prune_at <= now()')).toEqual([]);
  });

  test('but none of a booking that has a waiver, under whichever of its ids', async () => {
    const { store, query, url, sign, idsListed } = context;
    await store.bookings.addAlias(read);
    await store.bookings.addAlias({ ...standard, alias: 'voucher', bookingId: 'b1' });
    await sign('w1', 'code');
    await query('update booking_alias set prune_at = now()');
    await pruneRows(url);
    expect(await idsListed('voucher')).toEqual(['w1']);
    expect(await idsListed('b1')).toEqual(['w1']);
  });
});
