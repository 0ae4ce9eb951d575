import { describe, expect, test } from 'vitest';
import { defineBookingSystem } from '../src/index.ts';
import { currentBody } from './bookings.ts';
import { byPath, pathPlugin, queryPlugin, startBookingSystem } from './setup.ts';

const { server, setup } = await startBookingSystem();

const read = (bookingId = 'BK-1042', plugin = pathPlugin) =>
  plugin.fetchBooking(setup.context(plugin), bookingId);

describe('the request', () => {
  test('is the same for a base address that ends in a slash', async () => {
    server.willAnswer({ body: currentBody() });
    await pathPlugin.fetchBooking(setup.context(pathPlugin, { baseUrl: `${server.baseUrl}/` }), 'BK-1042');
    expect(server.takeRequest().url).toMatch(/^\/partner\/api\/bookings\/BK-1042\?/);
  });

  test.each(['.', '..', '', '\ud800'])(
    'is not made at all for the id %j, which a URL cannot carry',
    async (bookingId) => {
      for (const plugin of [pathPlugin, queryPlugin]) {
        await expect(read(bookingId, plugin)).rejects.toMatchObject({ code: 'booking_not_found' });
      }
      expect(server.takeAll()).toEqual([]);
    },
  );
});

describe('the response', () => {
  test('with the id as a number is the requested booking', async () => {
    server.willAnswer({ body: { ...currentBody(), id: 1042 } });
    expect((await read('1042')).warnings.map(({ code }) => code)).toEqual(['number_as_string']);
  });

  test('gets a statusGroup only from a plugin with a map; an unknown status is `other`, with a warning', async () => {
    const mapped = defineBookingSystem({ ...byPath, statusMap: { Active: 'active' } });
    const readMapped = () => mapped.fetchBooking(setup.context(mapped), 'BK-1042');
    server.willAnswer({ body: currentBody() });
    expect((await read()).booking).not.toHaveProperty('statusGroup');
    expect(await readMapped()).toMatchObject({ booking: { statusGroup: 'active' }, warnings: [] });
    server.willAnswer({ body: { ...currentBody(), status: 'constructor' } });
    expect((await read()).warnings).toEqual([]);
    expect(await readMapped()).toMatchObject({
      booking: { status: 'constructor', statusGroup: 'other' },
      warnings: [{ code: 'unknown_status', path: 'status' }],
    });
  });
});
