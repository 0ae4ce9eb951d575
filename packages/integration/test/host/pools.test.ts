import { malformed, problem, startTestHost, textAt } from '@waiver-service/testing';
import { afterAll, describe, expect, it } from 'vitest';

const host = await startTestHost();
afterAll(() => host.close());
const pools = '/v1/admin/pools';

describe('a pool', () => {
  it('is created and changed by PUT; omitted prefillProperties stay', async () => {
    const created = await host.admin('PUT', `${pools}/rafting`, {
      name: 'Rafting',
      prefillProperties: ['notes', 'notes'],
    });
    expect(created).toMatchObject({
      status: 200,
      body: { id: 'rafting', name: 'Rafting', prefillProperties: ['notes'], createdAt: expect.any(String) },
    });
    expect(await host.admin('PUT', `${pools}/rafting`, { name: 'River' })).toMatchObject({
      body: { name: 'River', prefillProperties: ['notes'] },
    });
    expect(
      await host.admin('PUT', `${pools}/rafting`, { name: 'River', prefillProperties: [] }),
    ).toMatchObject({
      body: { prefillProperties: [] },
    });
    expect(await host.admin('GET', `${pools}/rafting`)).toMatchObject({
      status: 200,
      body: { name: 'River' },
    });
  });

  it('may have an id that has to be percent-encoded', async () => {
    const id = 'a/b ?#é';
    const path = `${pools}/${encodeURIComponent(id)}`;
    expect(await host.admin('PUT', path, { name: 'x' })).toMatchObject({ status: 200, body: { id } });
    expect(await host.admin('GET', path)).toMatchObject({ status: 200, body: { id } });
  });

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name too long', { name: 'n'.repeat(201) }, 'name'],
    ['another field', { name: 'x', colour: 'red' }, 'colour'],
    ['too many properties', { name: 'x', prefillProperties: Array(101).fill('p') }, 'prefillProperties'],
    ['a property too long', { name: 'x', prefillProperties: ['p'.repeat(129)] }, 'prefillProperties[0]'],
    ['a property without a name', { name: 'x', prefillProperties: [''] }, 'prefillProperties[0]'],
  ])('refuses %s', async (_, body, path) => {
    expect(await host.admin('PUT', `${pools}/refused`, body)).toMatchObject(malformed(path));
    expect(await host.admin('GET', `${pools}/refused`)).toMatchObject(problem(404, 'unknown_pool'));
  });

  it('has an id of at most 128 bytes', async () => {
    expect(await host.admin('PUT', `${pools}/${'p'.repeat(128)}`, { name: 'x' })).toMatchObject({
      status: 200,
    });
    expect(await host.admin('PUT', `${pools}/${'p'.repeat(129)}`, { name: 'x' })).toMatchObject(
      malformed('pool'),
    );
  });
});

describe('an access token', () => {
  it('is shown once, listed by a hint, opens its own pool only, and ends when it is deleted', async () => {
    await host.makePool('other');
    await host.admin('PUT', `${pools}/own`, { name: 'own' });
    const created = await host.admin('POST', `${pools}/own/access-tokens`);
    expect(created).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^wst_/) } });
    const token = textAt(created.body, 'token');
    const id = textAt(created.body, 'id');
    const listed = await host.admin('GET', `${pools}/own/access-tokens`);
    expect(listed.body).toEqual({
      items: [
        {
          id,
          name: null,
          scopes: ['bookings:read', 'waivers:write', 'waivers:read', 'waivers:list', 'check-in:write'],
          createdAt: expect.any(String),
          lastUsedAt: null,
          expiresAt: null,
          hint: expect.any(String),
        },
      ],
      next: null,
    });
    expect(JSON.stringify(listed.body)).not.toContain(token);
    expect(await host.as(token)('GET', '/v1/pools/own/waivers')).toMatchObject({ status: 200 });
    expect(await host.as(token)('GET', '/v1/pools/other/waivers')).toMatchObject({ status: 403 });
    expect(await host.admin('GET', `${pools}/own/access-tokens`)).toMatchObject({
      body: { items: [{ lastUsedAt: expect.any(String) }] },
    });
    expect(await host.admin('DELETE', `${pools}/other/access-tokens/${id}`)).toMatchObject(
      problem(404, 'access_token_not_found'),
    );
    expect(await host.admin('DELETE', `${pools}/own/access-tokens/${id}`)).toMatchObject({ status: 204 });
    expect(await host.as(token)('GET', '/v1/pools/own/waivers')).toMatchObject({ status: 401 });
  });
});

describe('resources of an unknown pool', () => {
  it.each([
    ['POST', '/access-tokens', undefined],
    ['GET', '/access-tokens', undefined],
    ['DELETE', '/access-tokens/x', undefined],
    ['GET', '/installations', undefined],
    ['PUT', '/installations/standard', { accountId: 1, apiKey: 'k' }],
    ['PATCH', '/installations/standard', { shareProperties: [] }],
    ['DELETE', '/installations/standard', undefined],
    ['POST', '/installations/standard/test', { bookingId: 'B-1' }],
    ['POST', '/webhooks', { url: 'http://127.0.0.1:9/', auth: { type: 'none' } }],
    ['GET', '/webhooks', undefined],
    ['GET', '/webhooks/x', undefined],
    ['PATCH', '/webhooks/x', {}],
    ['DELETE', '/webhooks/x', undefined],
    ['POST', '/webhooks/x/test', undefined],
    ['POST', '/webhooks/x/rotate-secret', undefined],
  ])('%s …%s is a 404', async (method, path, body) => {
    expect(await host.admin(method, `${pools}/nowhere${path}`, body)).toMatchObject(
      problem(404, 'unknown_pool'),
    );
  });
});
