import { isLong } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
let installKey: string;
// biome-ignore format: one line
type Schema = { properties?: Record<string, unknown>; allOf?: Schema[]; anyOf?: Schema[]; $ref?: string };
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };
let document: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

beforeAll(async () => {
  host = await startTestHost();
  ({ installKey } = await host.preparePool('words'));
  document = (await host.call('GET', '/openapi.json', undefined, { token: null })).body;
});
afterAll(() => host.close());

/** Words of the validator, or of JavaScript, that no caller should read. */
const foreignWords =
  /invalid|undefined|\breceived\b|expected (string|number|array|object|boolean|int)|NaN|nonoptional|=>|too (big|small)|unrecognized/i;

describe('validation messages are plain English', () => {
  const install = '/integration/install/standard';
  const installBody = () => ({ key: installKey, pool: 'words', accountId: 1, apiKey: 'k' });
  // biome-ignore format: a table
  const cases: [method: string, path: string, body: () => unknown, path: string, message: string][] = [
    ['POST', install, () => ({ key: installKey }), 'pool', 'is missing'],
    ['POST', install, () => ({ ...installBody(), pool: 5 }), 'pool', 'must be a text, not a number'],
    ['POST', install, () => ({ ...installBody(), accountId: true }), 'accountId', 'must be a text or a number, not true or false'],
    ['POST', install, () => ({ ...installBody(), accountId: undefined }), 'accountId', 'is missing'],
    ['POST', install, () => ({ ...installBody(), apiKey: '' }), 'apiKey', 'is empty'],
    ['POST', '/integration/uninstall/standard', () => ({ key: installKey }), 'accountId', 'is missing'],
    ['POST', '/v1/pools/words/waivers', () => ({}), 'answers', 'is missing'],
    ['POST', '/v1/pools/words/waivers', () => ({ answers: {} }), 'answers.name', 'is missing'],
    ['POST', '/v1/pools/words/waivers', () => ({ answers: { name: 'x', height: 'tall' } }), 'answers.height', 'must be a number, not a text'],
    ['POST', '/v1/pools/words/waivers', () => ({ answers: { name: 'x', minor: 'yes' } }), 'answers.minor', 'must be true or false, not a text'],
    ['POST', '/v1/pools/words/waivers', () => ({ answers: { name: 'x' }, activities: 'a' }), 'activities', 'must be a list, not a text'],
    ['POST', '/v1/pools/words/waivers', () => ({ answers: { name: 'x' }, colour: 'a' }), 'colour', 'there is no such field'],
    ['POST', '/v1/pools/words/waivers', () => ({ answers: { name: 'x', weight: 701 } }), 'answers.weight', 'must be at most 700'],
    ['PATCH', '/v1/pools/words/waivers/w', () => ({ answers: [] }), 'answers', 'must be an object, not a list'],
    ['PUT', '/v1/admin/pools/words', () => ({}), 'name', 'is missing'],
    ['PUT', '/v1/admin/pools/words', () => ({ name: 'x'.repeat(100_000) }), 'name', 'must have at most 200 characters'],
    ['PUT', '/v1/admin/booking-systems/standard', () => ({ baseUrl: 7 }), 'baseUrl', 'must be a text, not a number'],
    ['PUT', '/v1/admin/booking-systems/bookeo', () => ({ settings: { secretKey: [] } }), 'settings.secretKey', 'must be a text, not a list'],
    ['PUT', '/v1/admin/pools/words/installations/standard', () => ({ accountId: 1 }), 'apiKey', 'is missing'],
    ['POST', '/v1/admin/pools/words/webhooks', () => ({ url: 'https://example.com' }), 'auth', 'is missing'],
    ['POST', '/v1/admin/pools/words/webhooks', () => ({ url: 'https://example.com', auth: {} }), 'auth.type', 'is missing: it must be one of "none", "header", "basic"'],
    ['POST', '/v1/admin/pools/words/webhooks', () => ({ url: 'https://example.com', auth: { type: 'x' } }), 'auth.type', 'must be one of "none", "header", "basic"'],
    ['GET', '/v1/admin/pools?limit=many', () => undefined, 'limit', 'must be a number'],
    ['GET', '/v1/admin/pools?limit=1.5', () => undefined, 'limit', 'must be a whole number'],
    ['GET', '/v1/admin/pools?limit=0', () => undefined, 'limit', 'must be at least 1'],
    ['GET', '/v1/admin/pools?limit=101', () => undefined, 'limit', 'must be at most 100'],
  ];
  test.each(cases)('%s %s %s %s: %s', async (method, path, body, field, message) => {
    const answer = await host.call(method, path, body());
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      expect.arrayContaining([{ path: field, message }]),
    ]);
  });
});

test('no response contains the validator’s own words, whatever the fields contain', async () => {
  const wrong = isLong
    ? [null, true, 5, 1.5, -1, 'x', '', [], [null], {}, { x: 1 }]
    : [null, 1.5, '', [null], { x: 1 }];
  const fieldsOf = (schema: Schema): string[] => {
    const name = schema.$ref?.split('/').at(-1);
    const inner = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])];
    const referred = name === undefined ? [] : fieldsOf(document.components.schemas[name] ?? {});
    return [...Object.keys(schema.properties ?? {}), ...inner.flatMap(fieldsOf), ...referred];
  };
  let refused = 0;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      const address = path
        .replace('{pool}', 'words')
        .replace('{booking_system}', 'standard')
        .replaceAll(/\{\w+\}/g, 'x');
      const fields = [...new Set(fieldsOf(schema))];
      const bodies = wrong.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
      for (const body of [{}, ...bodies]) {
        const answer = await host.call(method.toUpperCase(), address, { ...body, key: installKey });
        if (answer.status !== 400) continue;
        refused += 1;
        for (const { message } of answer.body.errors ?? [])
          expect([path, body, message]).not.toEqual([path, body, expect.stringMatching(foreignWords)]);
        expect(answer.body.message).not.toMatch(foreignWords);
      }
    }
  }
  expect(refused).toBeGreaterThan(50);
});
