import { malformed, problem, startTestHost, textAt } from '@waiver-service/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { ownApi } from '../setup/own-api.ts';

const host = await startTestHost({ plugins: [ownApi] });
afterAll(() => host.close());
const list = '/v1/admin/booking-systems';

describe('the booking systems there are', () => {
  it('are listed with the choices that the contract leaves to them', async () => {
    const { status, body } = await host.admin('GET', list);
    expect(status).toBe(200);
    expect(body).toEqual({
      items: expect.arrayContaining([
        {
          installName: 'standard',
          displayName: expect.any(String),
          authHeaderName: 'api-key',
          pathShape: 'path',
          capabilities: expect.objectContaining({ forms: ['current', 'legacy'], guestUpdate: true }),
          tier: 'documents',
          authorizedInBrowser: false,
          configured: false,
          baseUrl: null,
        },
        expect.objectContaining({
          installName: 'standard-query',
          authHeaderName: 'authentication',
          pathShape: 'query',
        }),
        // It has another API.
        expect.objectContaining({ installName: 'own-api', authHeaderName: null, pathShape: null }),
      ]),
    });
  });

  it('are each described by JSON Schemas that can draw a form', async () => {
    const { status, body } = await host.admin('GET', `${list}/standard`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      installName: 'standard',
      settingsSchema: { type: 'object' },
      accountSchema: { type: 'object', required: expect.arrayContaining(['accountId', 'apiKey']) },
      settingsSet: [],
      statusMap: {},
      limits: { timeoutMs: 20_000, requestLimits: null },
    });
  });

  it('have names; another is a 404 that lists them', async () => {
    for (const [method, path, body] of [
      ['GET', `${list}/nope`],
      ['PUT', `${list}/nope`, {}],
      ['POST', `${list}/nope/install-keys`],
      ['GET', `${list}/nope/install-keys`],
      ['DELETE', `${list}/nope/install-keys/x`],
    ] as const) {
      expect(await host.admin(method, path, body)).toMatchObject({
        status: 404,
        body: { code: 'unknown_booking_system', message: expect.stringMatching(/standard, standard-query/) },
      });
    }
  });
});

describe('setting up a booking system', () => {
  it('keeps omitted fields', async () => {
    const set = await host.admin('PUT', `${list}/standard`, { baseUrl: 'http://127.0.0.1:9/api' });
    expect(set).toMatchObject({ status: 200, body: { baseUrl: 'http://127.0.0.1:9/api', configured: true } });
    expect(await host.admin('PUT', `${list}/standard`, { settings: {} })).toMatchObject({
      status: 200,
      body: { baseUrl: 'http://127.0.0.1:9/api', configured: true },
    });
    expect(await host.admin('PUT', `${list}/standard`, {})).toMatchObject({
      status: 200,
      body: { baseUrl: 'http://127.0.0.1:9/api' },
    });
  });

  it.each([
    ['no URL', 'not a url'],
    ['a password in it', 'http://user:password@127.0.0.1/'],
    ['a private address', 'http://10.0.0.1/'],
    ['too long', `http://127.0.0.1/${'a'.repeat(2048)}`],
    ['empty', ''],
    ['no text', 5],
  ])('refuses a base address: %s', async (_, baseUrl) => {
    const { status, body } = await host.admin('PUT', `${list}/standard-query`, { baseUrl });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'malformed', errors: [{ path: 'baseUrl' }] });
    expect(JSON.stringify(body)).not.toContain('password@');
    expect(await host.admin('GET', `${list}/standard-query`)).toMatchObject({ body: { baseUrl: null } });
  });

  it('refuses unknown fields and settings', async () => {
    expect(await host.admin('PUT', `${list}/standard`, { url: 'x' })).toMatchObject({ status: 400 });
    expect(await host.admin('PUT', `${list}/standard`, { settings: 'x' })).toMatchObject(
      malformed('settings'),
    );
  });
});

describe('install keys', () => {
  it('are shown once, listed by a hint, and end when they are deleted', async () => {
    const created = await host.admin('POST', `${list}/standard/install-keys`);
    expect(created).toMatchObject({
      status: 201,
      body: { id: expect.any(String), key: expect.stringMatching(/^wsi_/) },
    });
    const id = textAt(created.body, 'id');
    const key = textAt(created.body, 'key');
    const listed = await host.admin('GET', `${list}/standard/install-keys`);
    expect(listed.body).toEqual({
      items: [
        { id, createdAt: expect.any(String), lastUsedAt: null, hint: expect.stringContaining(key.slice(-4)) },
      ],
      next: null,
    });
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect(await host.admin('DELETE', `${list}/standard-query/install-keys/${id}`)).toMatchObject(
      problem(404, 'install_key_not_found'),
    );
    expect(await host.admin('DELETE', `${list}/standard/install-keys/${id}`)).toMatchObject({ status: 204 });
    expect(await host.admin('DELETE', `${list}/standard/install-keys/${id}`)).toMatchObject({ status: 404 });
    const install = { key, pool: 'x', accountId: 1, apiKey: 'k' };
    expect(await host.as(null)('POST', '/integration/install/standard', install)).toMatchObject({
      status: 401,
    });
  });

  it('are paginated', async () => {
    for (let count = 0; count < 3; count += 1)
      await host.admin('POST', `${list}/standard-query/install-keys`);
    const first = await host.admin('GET', `${list}/standard-query/install-keys?limit=2`);
    expect(first).toMatchObject({ status: 200, body: { items: [{}, {}], next: expect.any(String) } });
    const cursor = encodeURIComponent(textAt(first.body, 'next'));
    expect(
      await host.admin('GET', `${list}/standard-query/install-keys?limit=2&cursor=${cursor}`),
    ).toMatchObject({
      body: { items: [{}], next: null },
    });
    expect(await host.admin('GET', `${list}/standard-query/install-keys?cursor=nonsense`)).toMatchObject(
      malformed('cursor'),
    );
    expect((await host.admin('GET', `${list}/standard/install-keys`)).body.items).toEqual([]);
  });
});
