import { type CheckfrontBooking, startCheckfront } from '@waiver-service/plugin-checkfront/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ConnectedHost, startConnectedHost, type TestCaller } from '../harness/connected-host.ts';

const installation = (installName: string) => `/v1/admin/pools/p/installations/${installName}`;

async function connected(variables: Readonly<Record<string, string>> = {}): Promise<ConnectedHost> {
  const host = await startConnectedHost(variables);
  onTestFinished(() => host.close());
  return host;
}

async function signed(app: TestCaller, bookingId: string) {
  const { status, body } = await app('GET', `/v1/pools/p/bookings/${bookingId}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const sign = (app: TestCaller, id: string, bookingId: string) =>
  app('POST', '/v1/pools/p/waivers', { id, bookingId, answers: { name: `Guest ${id}` } });

const idsListed = async (app: TestCaller, bookingId: string) => {
  const { body } = await app('GET', `/v1/pools/p/waivers?bookingId=${bookingId}`);
  return body.items.map(({ id }: { id: string }) => id).toSorted();
};

describe('a booking of Checkfront’s has a code and a number', () => {
  async function openCheckfront() {
    const host = await connected();
    const system = await startCheckfront({ apiKey: 'key', apiSecret: 'secret' });
    onTestFinished(() => system.close());
    const [booking] = system.bookings.values();
    if (booking === undefined) throw new Error('the simulator has no booking');
    const app = await host.makePool('p');
    await host.admin('PUT', '/v1/admin/booking-systems/checkfront', { baseUrl: system.url });
    const account = { accountId: 1, apiKey: 'key', apiSecret: 'secret' };
    const { status, body } = await host.admin('PUT', installation('checkfront'), account);
    expect(status, JSON.stringify(body)).toBe(200);
    return { app, system, booking, inboundUrl: String(body.webhookUrl) };
  }
  const idsOf = ({ code, number }: CheckfrontBooking) => ({ code, number: String(number) });

  test('waivers signed under either meet, also one that was signed before the booking was read', async () => {
    const { app, booking } = await openCheckfront();
    const { code, number } = idsOf(booking);
    await sign(app, 'w1', number);
    expect((await signed(app, code)).waivers.signed).toBe(0);
    const byNumber = await signed(app, number);
    expect(byNumber).toMatchObject({ booking: { id: code }, waivers: { signed: 1 } });
    expect(byNumber.warnings.map(({ code: warned }: { code: string }) => warned)).not.toContain('id_differs');
    await sign(app, 'w2', code);
    await sign(app, 'w3', number);
    for (const id of [code, number]) {
      expect((await signed(app, id)).waivers.signed).toBe(3);
      expect(await idsListed(app, id)).toEqual(['w1', 'w2', 'w3']);
    }
    const { body } = await app('GET', '/v1/pools/p/waivers/w1');
    expect(body).toMatchObject({
      bookingId: number,
      lastVisit: byNumber.booking.bookedSessions[0].startsAt.replace('Z', '.000Z'),
    });
  });
});
