import { startWebhookReceiver } from '@waiver-service/simulator';
import { malformed, problem, startTestHost, textAt } from '@waiver-service/testing';
import { afterAll, describe, expect, it } from 'vitest';

const deliveries = '/v1/admin/deliveries';
const destinations = '/v1/admin/destinations';

// Without a dispatcher, deliveries stay pending.
const host = await startTestHost({ settings: { role: 'api' } });
const receiver = await startWebhookReceiver();
afterAll(() => Promise.all([host.close(), receiver.close()]));
const app = await host.makePool('rafting');
await host.admin('POST', '/v1/admin/pools/rafting/webhooks', {
  url: receiver.url,
  auth: { type: 'none' },
  properties: ['name'],
});
await host.admin('PUT', '/v1/admin/pools/rafting/installations/standard', { accountId: 1, apiKey: 'k' });
for (const id of ['w1', 'w2', 'w3']) {
  await app('POST', '/v1/pools/rafting/waivers', { id, bookingId: 'B-1', answers: { name: id } });
}

const list = async (query: string) => (await host.admin('GET', `${deliveries}?${query}`)).body;

describe('deliveries', () => {
  it('are listed, newest first, with the guest’s name and the booking', async () => {
    const body = await list('kind=guest-webhook');
    expect(body).toEqual({
      items: ['w3', 'w2', 'w1'].map((waiverId) => ({
        id: expect.any(String),
        kind: 'guest-webhook',
        state: 'waiting',
        pool: 'rafting',
        destination: expect.any(String),
        webhook: { id: expect.any(String), url: expect.stringContaining('http') },
        waiverId,
        guestName: waiverId,
        bookingId: 'B-1',
        version: 1,
        createdAt: expect.stringMatching(/Z$/),
      })),
      next: null,
    });
  });

  it('are filtered', async () => {
    expect((await list('')).items).toHaveLength(6);
    expect((await list('waiverId=w2')).items).toHaveLength(2);
    expect((await list('pool=rafting&kind=guest-update&state=waiting')).items).toHaveLength(3);
    expect((await list('pool=nowhere')).items).toEqual([]);
    expect((await list('state=dead')).items).toEqual([]);
    expect((await list('errorCode=http_status&status=503')).items).toEqual([]);
    const { items } = await list('limit=1&kind=guest-update');
    expect((await list(`destination=${textAt(items, 0, 'destination')}`)).items).toHaveLength(3);
    expect((await list('since=2199-01-01T00:00:00Z')).items).toEqual([]);
    expect((await list('until=2000-01-01T00:00:00Z')).items).toEqual([]);
    expect((await list('since=2000-01-01T00:00:00%2B02:00&until=2199-01-01T00:00:00Z')).items).toHaveLength(
      6,
    );
  });

  it.each([
    ['state=lost', 'state'],
    ['kind=email', 'kind'],
    ['since=yesterday', 'since'],
    ['until=2027-01-01', 'until'],
    ['limit=101', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`pool=${'p'.repeat(129)}`, 'pool'],
    [`waiverId=${'w'.repeat(257)}`, 'waiverId'],
    [`destination=${'d'.repeat(101)}`, 'destination'],
    ['errorCode=bad_luck', 'errorCode'],
    ['status=99', 'status'],
    ['status=600', 'status'],
    ['sort=up', 'sort'],
  ])('refuse ?%s', async (query, path) => {
    expect(await host.admin('GET', `${deliveries}?${query}`)).toMatchObject(malformed(path));
  });

  it('show their body and their attempts one by one', async () => {
    const { items } = await list('kind=guest-webhook&waiverId=w1');
    const { status, body } = await host.admin('GET', `${deliveries}/${textAt(items, 0, 'id')}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...items[0],
      body: { guest: { id: 'w1', reservationsID: 'B-1', name: 'w1' } },
      attempts: [],
    });
    const { items: updates } = await list('kind=guest-update&waiverId=w1');
    expect((await host.admin('GET', `${deliveries}/${textAt(updates, 0, 'id')}`)).body).toMatchObject({
      bookingId: 'B-1',
      body: { waiver: { id: 'w1', bookingId: 'B-1', deleted: false } },
    });
  });

  it('have a lane: the deliveries before and after them', async () => {
    const { items } = await list('kind=guest-webhook&waiverId=w1');
    const { status, body } = await host.admin('GET', `${deliveries}/${textAt(items, 0, 'id')}/lane`);
    expect([status, body]).toEqual([
      200,
      {
        orderedBy: 'waiver',
        key: 'w1',
        waiting: true,
        before: { count: 0, items: [] },
        after: { count: 0, items: [] },
      },
    ]);
    expect(await host.admin('GET', `${deliveries}/none/lane`)).toMatchObject(
      problem(404, 'delivery_not_found'),
    );
  });

  it('that are not there are a 404', async () => {
    for (const id of ['none', '019a0000-0000-7000-8000-000000000000', 'x'.repeat(100)]) {
      expect(await host.admin('GET', `${deliveries}/${id}`)).toMatchObject(
        problem(404, 'delivery_not_found'),
      );
      expect(await host.admin('POST', `${deliveries}/${id}/retry`)).toMatchObject(
        problem(404, 'delivery_not_found'),
      );
    }
  });

  it('are retried: one that waits is due at once', async () => {
    const { items } = await list('kind=guest-webhook&waiverId=w1');
    const id = textAt(items, 0, 'id');
    expect(await host.admin('POST', `${deliveries}/${id}/retry`)).toMatchObject({
      status: 202,
      body: { deliveryId: id },
    });
  });

  it('of a webhook that was removed are cancelled, and cannot be retried', async () => {
    const pool = await host.makePool('removed');
    const webhooks = '/v1/admin/pools/removed/webhooks';
    const { body } = await host.admin('POST', webhooks, { url: receiver.url, auth: { type: 'none' } });
    await pool('POST', '/v1/pools/removed/waivers', { answers: { name: 'Ann' } });
    await host.admin('DELETE', `${webhooks}/${textAt(body, 'id')}`);
    const { items } = await list('pool=removed');
    expect(items).toMatchObject([{ state: 'cancelled' }]);
    expect(await host.admin('POST', `${deliveries}/${textAt(items, 0, 'id')}/retry`)).toMatchObject(
      problem(409, 'destination_gone'),
    );
  });

  it.each([
    ['no since', {}, 'since'],
    ['a since that is no time', { since: 'yesterday' }, 'since'],
    ['an until before since', { since: '2027-01-02T00:00:00Z', until: '2027-01-01T00:00:00Z' }, 'until'],
    ['a state that cannot be recovered', { since: '2027-01-02T00:00:00Z', state: 'sending' }, 'state'],
    ['another field', { since: '2027-01-02T00:00:00Z', all: true }, 'all'],
  ])('are not recovered with %s', async (_, body, path) => {
    expect(await host.admin('POST', `${deliveries}/recover`, body)).toMatchObject(malformed(path));
  });

  it('are recovered in bulk: none that was not given up', async () => {
    const begun = await host.admin('POST', `${deliveries}/recover`, { since: '2020-01-01T00:00:00Z' });
    expect(begun).toMatchObject({ status: 202, body: { recovered: 0 } });
    const id = textAt(begun.body, 'recoveryId');
    expect(await host.admin('GET', `/v1/admin/recoveries/${id}`)).toMatchObject({
      status: 200,
      body: { id, state: 'done', recovered: 0, total: 0, createdAt: expect.stringMatching(/Z$/) },
    });
    expect(await host.admin('GET', '/v1/admin/recoveries/none')).toMatchObject(
      problem(404, 'recovery_not_found'),
    );
  });
});

describe('destinations', () => {
  it('are listed with their waiting messages', async () => {
    const { status, body } = await host.admin('GET', destinations);
    expect(status).toBe(200);
    expect(body.items).toEqual(
      expect.arrayContaining(
        [
          { kind: 'guest-update', bookingSystem: 'standard', installationStatus: 'active' },
          {
            kind: 'guest-webhook',
            webhook: { id: expect.any(String), url: expect.stringMatching(/webhook$/) },
          },
        ].map((destination) => ({
          ...destination,
          id: expect.any(String),
          pool: 'rafting',
          status: 'active',
          consecutiveFailures: 0,
          waiting: 3,
          oldestWaitingAt: expect.stringMatching(/Z$/),
        })),
      ),
    );
    expect(await host.admin('GET', `${destinations}?limit=1`)).toMatchObject({
      body: { items: [{}], next: expect.any(String) },
    });
  });

  it('are paused, which holds waiting messages, and resumed', async () => {
    const { items } = await list('limit=1&kind=guest-webhook&pool=rafting');
    const destination = `${destinations}/${textAt(items, 0, 'destination')}`;
    expect(await host.admin('POST', `${destination}/pause`)).toMatchObject({
      status: 200,
      body: { status: 'paused' },
    });
    expect((await list('state=held')).items).toHaveLength(3);
    expect(await host.admin('POST', `${destination}/resume`)).toMatchObject({
      status: 200,
      body: { status: 'active' },
    });
    expect((await list('state=held')).items).toEqual([]);
    for (const action of ['pause', 'resume']) {
      expect(await host.admin('POST', `${destinations}/none/${action}`)).toMatchObject(
        problem(404, 'destination_not_found'),
      );
    }
  });
});
