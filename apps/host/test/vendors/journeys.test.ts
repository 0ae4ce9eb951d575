import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ExpectedRead,
  type LimitedRequests,
  movedTo,
  type RequestWindow,
  type VendorJourney,
  type VendorSystem,
} from '@waiver-service/simulator';
import { type TestCaller, textAt, until } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

const lineOf = (id: string, { updatedAt }: { readonly updatedAt: string }, shared = '') =>
  `[waiver ${id}] updated ${updatedAt.slice(0, 10)}${shared}`;

// `toMatchObject` accepts any properties beside the expected ones, so it would miss an invented name.
const prefillsOf = ({ guests, booker }: ExpectedRead) => ({
  guests: guests.map(({ prefill }) => prefill),
  booker,
});

/** Makes the tests of one vendor: a running host, its simulator over real HTTP, and nothing but the HTTP API between. */
function runVendorJourney<System extends VendorSystem>(vendor: VendorJourney<System>): void {
  const { installName, bookingId, record } = vendor;
  const waivers = '/v1/pools/rafting/waivers';
  let host: TestHost;
  let system: System;
  let app: TestCaller;
  let webhookUrl: string;
  let limited: LimitedRequests;
  beforeAll(async () => {
    [host, system] = await Promise.all([startTestHost(), vendor.start()]);
    app = await host.makePool('rafting');
    const { settings = {}, account } = vendor;
    const configuration = { baseUrl: system.url, settings };
    await done(host.admin('PUT', `/v1/admin/booking-systems/${installName}`, configuration));
    const path = `/v1/admin/pools/rafting/installations/${installName}`;
    webhookUrl = textAt(await done(host.admin('PUT', path, account)), 'webhookUrl');
    const { limits } = await done(host.admin('GET', `/v1/admin/booking-systems/${installName}`));
    // Requests do not arrive as regularly as they leave.
    const windows: RequestWindow[] = limits.requestLimits?.windows ?? [];
    limited = system.limitRequests(
      windows.map(({ requests, windowMs }) => ({ requests, windowMs: windowMs * 0.95 })),
    );
  });
  afterAll(async () => {
    expect(limited.refused, 'requests beyond the vendor’s limits').toBe(0);
    await host.close();
    await system.close();
  });

  async function done(answering: ReturnType<TestCaller>) {
    const { status, body, text } = await answering;
    if (status >= 300) throw new Error(`answered ${status}: ${text}`);
    return body;
  }
  const read = () => done(app('GET', `/v1/pools/rafting/bookings/${encodeURIComponent(bookingId)}`));
  const sign = (id: string, bookingGuestId?: string) =>
    done(app('POST', waivers, { id, bookingId, bookingGuestId, answers: { name: `Signer ${id}` } }));
  /** Waits until all deliveries of a waiver are final, and returns their states. */
  const sent = (id: string): Promise<string[]> =>
    until(async () => {
      const { deliveries } = await done(app('GET', `${waivers}/${id}`));
      const states: string[] = deliveries.map(({ state }: { state: string }) => state);
      return !states.some((state) => ['waiting', 'sending'].includes(state)) && states;
    }, `the deliveries of ${id}`);

  test('a booking is read as the vendor’s own form, with guests, warnings and pre-filled answers', async () => {
    const { warnings, ...booking } = await read();
    expect(booking).toMatchObject({ bookingSystem: installName, form: 'native', ...vendor.read });
    expect(prefillsOf(booking)).toEqual(prefillsOf(vendor.read));
    expect(warnings.map(({ code }: { code: string }) => code).toSorted()).toEqual(vendor.warnings);
  });

  const { announce } = vendor;
  if (announce === undefined) {
    test('a booking that moved at a vendor that makes no calls is shown by the next read', async () => {
      vendor.move(system);
      const { booking } = await read();
      expect(booking.bookedSessions[0].startsAt).toBe(movedTo);
    });
  } else {
    test('the vendor’s own call is taken, a forged one is not, and the booking read again', async () => {
      const withWrongKey = webhookUrl.replace(/key=.*$/, 'key=wrong');
      expect(withWrongKey === webhookUrl).toBe(vendor.announceForged !== undefined);
      const forge = vendor.announceForged ?? announce;
      expect(await forge(system, withWrongKey)).toBe(401);
      vendor.move(system);
      const before = system.received.length;
      expect(await announce(system, webhookUrl)).toBe(200);
      await until(() => system.received.length > before, 'the booking to be read again');
      await until(
        async () => (await read()).booking.bookedSessions[0].startsAt === movedTo,
        'the moved session to be shown',
      );
    });
  }

  const { webhookUrls } = vendor;
  if (webhookUrls !== undefined && announce !== undefined) {
    test('webhooks are registered by the service, and their calls are taken', async () => {
      const [url] = await until(() => webhookUrls(system).length > 0 && webhookUrls(system), 'webhooks');
      expect(new Set(webhookUrls(system))).toEqual(new Set([url]));
      expect(url).not.toBe(webhookUrl);
      expect(await announce(system, url ?? '')).toBe(200);
      await until(async () => {
        const { items } = await done(host.admin('GET', '/v1/admin/pools/rafting/installations'));
        return items[0].webhooks.state === 'registered';
      }, 'the installation to say so');
    });
  }

  if (record === undefined) {
    test('nothing is ever sent to a vendor that takes no waivers', async () => {
      await sign('w1');
      await done(app('PATCH', `${waivers}/w1`, { answers: { medication: 'none' } }));
      await done(app('POST', `${waivers}/w1/void`));
      expect(await sent('w1')).toEqual([]);
      const { items } = await done(host.admin('GET', '/v1/admin/deliveries?kind=guest-update'));
      expect(items).toEqual([]);
      const sentRequests = system.received.filter(
        ({ method, route }) => method !== 'GET' && route !== 'webhooks',
      );
      expect(sentRequests).toEqual([]);
    });
    return;
  }

  describe('waivers in the vendor’s record', () => {
    const { guestIds, staffWrote, onlyAdds = false } = record;
    // Where staff can type on behind a waiver's line, it says where it ends.
    const lines = () =>
      record
        .lines(system)
        .map((line) => line.replace(/ \[end\]$/, ''))
        .toSorted();
    let untouched: unknown;
    let first: { updatedAt: string };
    let second: { updatedAt: string };

    test('of two guests who sign in the same second are both written, under what staff wrote', async () => {
      untouched = structuredClone(record.rest(system));
      record.slowDown(system);
      [first, second] = await Promise.all([sign('w1', guestIds[0]), sign('w2', guestIds[1])]);
      expect(await Promise.all([sent('w1'), sent('w2')])).toEqual([['delivered'], ['delivered']]);
      system.faults.clear();
      expect(lines()).toEqual([...staffWrote, lineOf('w1', first), lineOf('w2', second)].toSorted());
      expect(record.rest(system)).toEqual(untouched);
    });

    test('are replaced by an update, which brings what the pool shares and nothing else', async () => {
      const installation = `/v1/admin/pools/rafting/installations/${installName}`;
      await done(host.admin('PATCH', installation, { shareProperties: ['name', 'medication'] }));
      const answers = { medication: 'insulin', diet: 'vegan' };
      const former = lineOf('w1', first);
      first = await done(app('PATCH', `${waivers}/w1`, { answers }));
      expect((await sent('w1')).at(-1)).toBe('delivered');
      const now = lines();
      const ours = now.filter((line) => line.startsWith('[waiver w1]') && (!onlyAdds || line !== former));
      expect(ours).toEqual([expect.stringContaining(lineOf('w1', first))]);
      expect(ours[0]).toContain('medication: insulin');
      expect(ours[0]).toContain('name: Signer w1');
      expect(now.filter((line) => !ours.includes(line))).toEqual(
        [...staffWrote, lineOf('w2', second), ...(onlyAdds ? [former] : [])].toSorted(),
      );
      expect(record.rest(system)).toEqual(untouched);
      if (record.name) expect(record.name(system)).toBe('Signer w1');
    });

    test('are gone after a void, where the vendor can, and said to be void where it cannot', async () => {
      const before = lines();
      const { updatedAt } = await done(app('POST', `${waivers}/w1/void`));
      expect((await sent('w1')).at(-1)).toBe('delivered');
      const left = onlyAdds
        ? [...before, `[waiver w1] voided ${updatedAt.slice(0, 10)}`]
        : [...staffWrote, lineOf('w2', second)];
      expect(lines()).toEqual(left.toSorted());
      expect(record.rest(system)).toEqual(untouched);
    });
  });
}

const root = join(import.meta.dirname, '../../../..');

// Every plugin with a journey is found here: a new one is in no list.
for (const path of globSync('plugins/*/test/journey.ts', { cwd: root }).toSorted()) {
  const module: { readonly default: VendorJourney<VendorSystem> } = await import(
    pathToFileURL(join(root, path)).href
  );
  const { default: journey } = module;
  describe(journey.installName, () => runVendorJourney(journey));
}
