import type { Waiver } from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import { createBookingSystemContext, prepareBookingSystemContext } from '@waiver-service/plugin-kit';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type RollerOptions,
  rollerBooking,
  rollerVenue,
  type SimulatedRoller,
  startRoller,
} from '../simulator/index.ts';
import roller from '../src/index.ts';

const credentials = { clientId: 'venue-client', clientSecret: 'venue-secret-1' };
const { uniqueId, bookingReference } = rollerBooking;
const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5000 });
let system: SimulatedRoller;
const start = async (options: Partial<RollerOptions> = {}) => {
  system = await startRoller({ ...credentials, ...options });
};
beforeEach(() => start());
afterEach(() => system.close());

const signal = new AbortController().signal;
// As in the host, which prepares new contexts for one installation every few seconds.
let installationId = '';
beforeEach(() => {
  installationId = crypto.randomUUID();
});
const installation = (purpose: 'read' | 'guest-update', apiKey = credentials.clientSecret) => ({
  plugin: roller,
  outbound,
  baseUrl: system.url,
  pool: 'pool-1',
  installation: installationId,
  settings: {},
  account: { accountId: 20711, apiKey, clientId: credentials.clientId },
  purpose,
});
const read = (id = uniqueId) =>
  roller.fetchBooking(createBookingSystemContext({ ...installation('read'), signal }), id);
const push = (id: string, changes: Partial<Waiver> = {}) =>
  roller.pushWaiver?.(createBookingSystemContext({ ...installation('guest-update'), signal }), {
    id,
    pool: 'pool-1',
    bookingId: uniqueId,
    bookingGuestId: '91004417-88001',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const booking = () => system.bookings.get(uniqueId);
const routes = () => system.received.map(({ route }) => route);

describe('over real HTTP', () => {
  test('neither the token nor the venue is asked for again by later reads of an installation', async () => {
    const contextOf = prepareBookingSystemContext(installation('read'));
    for (const id of [uniqueId, bookingReference]) await roller.fetchBooking(contextOf({ signal }), id);
    expect(routes()).toEqual(['token', 'read', 'guest', 'venue', 'products', 'read', 'guest']);
  });

  test('the venue is kept for an hour, however often the installation is prepared', async () => {
    const venueRequests = () => routes().filter((route) => route === 'venue').length;
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await read();
    vi.advanceTimersByTime(3_599_000);
    await read();
    expect(venueRequests()).toBe(1);
    vi.advanceTimersByTime(1_000);
    await read();
    expect(venueRequests()).toBe(2);
    installationId = crypto.randomUUID();
    await read();
    expect(venueRequests()).toBe(3);
  });

  test('the products are asked for again where a session is of an unknown one, every ten minutes at most', async () => {
    const productRequests = () => routes().filter((route) => route === 'products').length;
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await read();
    const items = rollerBooking.items.map((item) => ({ ...item, productId: 99_999 }));
    system.put({ ...rollerBooking, items });
    await read();
    expect(productRequests()).toBe(1);
    vi.advanceTimersByTime(600_000);
    await read();
    await read();
    expect(productRequests()).toBe(2);
  });

  test('an account is tested by its venue, which should name a time zone of the IANA database', async () => {
    const test = async (account = {}) => {
      const context = createBookingSystemContext({
        ...installation('read'),
        account: { ...installation('read').account, ...account },
        signal,
      });
      return (await roller.checkAccess?.(context))?.warnings.map(({ path }) => path);
    };
    expect(await test()).toEqual([]);
    await system.close();
    await start({ venue: { ...rollerVenue, ianaTimeZone: 'E. Australia Standard Time', timeZone: '' } });
    expect(await test()).toEqual(['timeZone']);
    expect(await test({ timeZone: 'Australia/Brisbane' })).toEqual([]);
    expect(routes()).toEqual(['token', 'venue', 'token', 'venue']);
  });

  const hookAt = (webhookId: number, url: string, changes: object = {}, events = ['Created', 'Updated']) => ({
    webhookId,
    createdDate: '2027-01-01T00:00:00Z',
    configuration: {
      url,
      enabled: true,
      authentication: { apiKey: 'k' },
      webhooks: { booking: { events: [...events, 'Cancelled'] } },
      ...changes,
    },
  });

  test('a webhook that ROLLER disabled, or that lacks an event, is replaced', async () => {
    const url = 'https://waivers.example/hook?key=1';
    for (const hook of [hookAt(2, url, { enabled: false }), hookAt(2, url, {}, ['Updated'])]) {
      system.webhooks.all.splice(0, Number.POSITIVE_INFINITY, hook);
      const context = createBookingSystemContext({ ...installation('read'), signal });
      await roller.webhooks?.register(context, { url, formerUrls: [] });
      expect(system.webhooks.all).toMatchObject([
        { webhookId: expect.toSatisfy((id) => id !== 2), configuration: { url, enabled: true } },
      ]);
    }
  });

  test('a webhook is found where the list is a single object', async () => {
    const hook = hookAt(1, 'https://waivers.example/hook?key=1');
    const context = createBookingSystemContext({ ...installation('read'), signal });
    system.webhooks.all.push(hook);
    system.faults.next('webhooks', { kind: 'status', status: 200, body: hook });
    await roller.webhooks?.unregister(context, { urls: [hook.configuration.url] });
    expect(system.webhooks.all).toEqual([]);
  });

  test('too many tokens lead to a minute’s pause', async () => {
    system.faults.next('token', { kind: 'status', status: 429, body: 'Too Many Requests' });
    await expect(read()).rejects.toMatchObject({
      code: 'booking_system_rate_limited',
      retryAfterMs: 60_000,
    });
  });

  test('the account’s own time zone counts, and the venue is not asked for one', async () => {
    const given = installation('read');
    const account = { ...given.account, timeZone: 'Europe/London' };
    const { booking: found } = await roller.fetchBooking(
      createBookingSystemContext({ ...given, account, signal }),
      uniqueId,
    );
    expect(found.bookedSessions).toMatchObject([{ startsAt: '2027-06-12T08:30:00Z' }]);
    expect(routes()).toEqual(['token', 'read', 'guest', 'products']);
  });

  test.each(['', ' '])(
    'texts that ROLLER would change are written so that it does not (%j)',
    async (shift) => {
      const pushed = await push('w1', { diet: `<b>vegan</b>${shift}${'🥗'.repeat(300)}` });
      expect(pushed).toMatchObject({ accepted: true, warnings: [{ code: 'waiver_partly_written' }] });
      const line = booking()?.metadata['waiver-w1'] ?? '';
      expect(line).toContain('‹b›vegan‹/b›');
      expect(line.length).toBeLessThanOrEqual(500);
      expect(line.isWellFormed()).toBe(true);
      expect(line).toMatch(/🥗…$/u);
    },
  );

  test('an id that is too long for a key has its hash there', async () => {
    const id = 'ein langer Name '.repeat(8);
    await push(id);
    const [key = ''] = Object.keys(booking()?.metadata ?? {}).filter((name) => name.startsWith('waiver-'));
    expect(key).toMatch(/^waiver-[0-9a-f]{33}$/);
    await push(id, { deleted: true });
    expect(booking()).toEqual(rollerBooking);
  });
});
