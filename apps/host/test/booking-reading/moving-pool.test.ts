import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { expect, onTestFinished, test } from 'vitest';
import { openRawConnection } from '../harness/raw-postgres.ts';
import { startTestHost } from '../harness/test-host.ts';

/** A booking system in which each booking has a number beside its id. */
const vendor = defineBookingSystem({
  installName: 'vendor',
  displayName: 'Vendor',
  pathShape: 'path',
  guestId: 'none',
  url: () => 'https://vendor.example',
  capabilities: {
    forms: ['native'],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'none',
    aliases: true,
  },
  fetchBooking: async () => ({
    form: 'native',
    booking: {
      id: 'B-1',
      status: 'Active',
      contact: { name: 'Ann' },
      pax: 1,
      guests: [],
      bookedSessions: [],
    },
    warnings: [],
  }),
});

test('a booking is read by another of its ids while its pool is being moved, and the id is noted afterwards', async () => {
  const host = await startTestHost(
    {},
    { pluginPackages: ['@waiver-service/plugin-vendor'], importPackage: async () => ({ default: vendor }) },
  );
  onTestFinished(() => host.close());
  await host.preparePool('shore', 'vendor');
  const account = { accountId: 1, apiKey: 'partner-key' };
  expect(await host.call('PUT', '/v1/admin/pools/shore/installations/vendor', account)).toMatchObject({
    status: 200,
  });
  const database = await openRawConnection(host.databaseUrl);
  if (database === undefined) throw new Error('the database takes no connection');
  onTestFinished(() => database.end());
  const read = () => host.call('GET', '/v1/pools/shore/bookings/4711');
  const aliases = async () =>
    (await host.call('GET', '/v1/pools/shore/bookings/B-1?explain=true')).body.explanation.aliases;

  await database.run(
    `insert into pool_move (pool, id, state, cell) values ('shore', gen_random_uuid(), 'leaving', 'us1')`,
  );
  expect(await read()).toMatchObject({ status: 200, body: { stale: false } });
  expect(await aliases()).toEqual([]);

  await database.run('delete from pool_move');
  expect(await read()).toMatchObject({ status: 200, body: { stale: false } });
  expect(await aliases()).toEqual(['4711']);
});
