import * as api from '@waiver-service/api';
import { isLong } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

describe('the document', () => {
  // biome-ignore format: one line
  type Operation = { operationId?: string; tags?: string[]; security?: object[]; requestBody?: object; parameters?: ({ in: string; name: string } | { $ref: string })[]; responses: Record<string, object> };

  let paths: Record<string, Record<string, Operation>>;
  let document: Awaited<ReturnType<Response['json']>>;
  beforeAll(async () => {
    document = (await host.call('GET', '/openapi.json', undefined, { token: null })).body;
    paths = document.paths;
  });

  const operations = () =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );

  test('the document has exactly the routes that the API declares', () => {
    // `npm run check` names a route that the last release declared and that is gone.
    const declared = Object.values<unknown>(api).flatMap((value) =>
      value instanceof Object && 'method' in value && 'url' in value
        ? [`${value.method} ${String(value.url).replace(/:(\w+)/g, '{$1}')}`]
        : [],
    );
    expect(declared.length).toBeGreaterThan(100);
    expect(
      operations()
        .map(({ path, method }) => `${method} ${path}`)
        .toSorted(),
    ).toEqual(declared.toSorted());
  });

  test('every reference resolves, and every operation has a unique id', () => {
    const references = [...JSON.stringify(document).matchAll(/#\/components\/(\w+)\/([^"]+)/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, section = '', name = ''] of references) {
      expect(Object.keys(document.components[section])).toContain(name);
    }
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(undefined);
  });

  test('it is OpenAPI 3.1 with the partners’ endpoints and the webhook', () => {
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.webhooks)).toEqual(['bookingDetails', 'guestUpdate', 'guestWebhook']);
    expect(document.components.schemas.WebhookGuest.required).toContain('reservationsID');
  });

  test('each operation has a tag, and no tag is empty', () => {
    const headings = document.tags.map(({ name }: { name: string }) => name).sort();
    const used = operations().flatMap(({ operation }) => operation.tags ?? []);
    expect([...new Set(used)].sort()).toEqual(headings);
    expect(headings).toEqual(expect.arrayContaining(['Bookings', 'Waivers']));
  });

  test('each schema appears once, under its own name', () => {
    const seen = new Map<string, string>();
    const twice: string[][] = [];
    const look = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { description: _, ...schema } = { description: '', ...value };
      if ('type' in schema && 'properties' in schema && Object.keys(Object(schema.properties)).length > 2) {
        const text = JSON.stringify(schema);
        const former = seen.get(text);
        if (former !== undefined) twice.push([former, at]);
        seen.set(text, at);
      }
      for (const [name, inner] of Object.entries(value)) look(inner, `${at}/${name}`);
    };
    look(document, '');
    expect(twice).toEqual([]);
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => name.endsWith('Input'))).toEqual([]);
    const references = JSON.stringify(document).match(/#\/components\/schemas\/[^"]+/g) ?? [];
    const referred = new Set(references.map((reference) => reference.split('/').at(-1)));
    expect(names.filter((name) => !referred.has(name))).toEqual([]);
  });

  test('a response or parameter of many operations appears once', () => {
    const inline = operations().flatMap(({ operation: { responses, parameters = [] } }) =>
      [...Object.values(responses), ...parameters].map((part) => JSON.stringify(part)),
    );
    const uses = Map.groupBy(
      inline.filter((text) => !text.startsWith('{"$ref"')),
      (text) => text,
    );
    expect([...uses].filter(([, { length }]) => length > 10)).toEqual([]);
  });

  test('the document is small enough to read', () => {
    expect(JSON.stringify(document).length).toBeLessThan(250_000);
  });

  describe('the root', () => {
    const ask = (accept: string) => fetch(host.url, { headers: { accept }, redirect: 'manual' });

    test('leads a browser to the console', async () => {
      const answer = await ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
      expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([
        302,
        '/console/',
        'accept',
      ]);
    });

    test.each(['application/json', '*/*'])(
      'points clients that accept %s to the documents',
      async (accept) => {
        const answer = await ask(accept);
        expect([answer.status, await answer.json()]).toEqual([
          200,
          {
            name: 'Waiver service',
            version: expect.stringMatching(/^\d/),
            docs: '/docs',
            openapi: '/openapi.json',
            console: '/console',
          },
        ]);
      },
    );
  });

  test('each parameter in a path is described', () => {
    for (const { path, method, operation } of operations()) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = (operation.parameters ?? [])
        .map((one) =>
          '$ref' in one ? document.components.parameters[one.$ref.split('/').at(-1) ?? ''] : one,
        )
        .filter((one) => one.in === 'path')
        .map(({ name }) => name);
      expect([method, path, described.sort()]).toEqual([method, path, named.sort()]);
    }
  });

  describe('the pages of the document', () => {
    test('are served with a policy that lets them load their own parts only', async () => {
      const page = await host.call('GET', '/docs', undefined, { token: null });
      expect(page.status).toBe(200);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
      for (const [, address = ''] of String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)) {
        const part = new URL(address, `${host.url}/docs/`);
        expect([part.href, (await fetch(part)).status]).toEqual([part.href, 200]);
      }
      expect(page.body).not.toMatch(/<script>(?!<)/);
    });
  });
});

describe('messages', () => {
  let installKey: string;

  // biome-ignore format: one line
  type Schema = { properties?: Record<string, unknown>; allOf?: Schema[]; anyOf?: Schema[]; $ref?: string };

  type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };

  let document: {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };

  beforeAll(async () => {
    ({ installKey } = await host.preparePool('words'));
    document = (await host.call('GET', '/openapi.json', undefined, { token: null })).body;
  });

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
});
