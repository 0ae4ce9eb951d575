import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FurnishedProgram, startFurnishedProgram } from '../harness/furnished-program.ts';
import { type DocumentedOperation, documentedOperations, filledPath } from '../harness/operations.ts';

let furnished: FurnishedProgram;
let operations: DocumentedOperation[];
beforeAll(async () => {
  furnished = await startFurnishedProgram();
  operations = await documentedOperations(furnished.program.url);
});
afterAll(async () => {
  expect((await furnished.program.call('GET', '/readyz')).status).toBe(200);
  await furnished.close();
});

/** An operation with everything in its address that there is, so that a body gets as far as it can. */
function address({ path }: DocumentedOperation): string {
  const other = path.includes('/webhooks/') ? furnished.webhookId : 'W-1';
  return filledPath(path, { pool: 'p', bookingSystem: 'standard', other });
}

/** Sends a body with a valid key, and checks that the response is a documented one. */
async function send(operation: DocumentedOperation, body: string): Promise<void> {
  const { installKey, program } = furnished;
  const keyed = operation.path.startsWith('/integration')
    ? body.replace(/^\{/, () => `{"key":${JSON.stringify(installKey)}${/^\{\s*\}/.test(body) ? '' : ','}`)
    : body;
  const answer = await program.call(operation.method, address(operation), keyed, {
    headers: { 'content-type': 'application/json' },
  });
  const shown = `${operation.method} ${operation.path} ${keyed.slice(0, 300)} -> ${answer.text.slice(0, 300)}`;
  expect(answer.status, shown).toBeLessThan(500);
  if (answer.status < 400) return;
  expect(answer.body, shown).toMatchObject({
    success: false,
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/./),
  });
  if (answer.body.code !== 'malformed' || answer.body.errors === undefined) return;
  expect(answer.body.errors, shown).not.toHaveLength(0);
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
// Not the one that ignores its body and answers with a page.
const writing = () =>
  operations.filter(
    ({ method, path }) => ['POST', 'PUT', 'PATCH'].includes(method) && !path.startsWith('/unsubscribe/'),
  );

const fixedBodies = [
  ...[
    '',
    ' ',
    'null',
    'true',
    '0',
    '""',
    '[]',
    '{}',
    '{',
    '[1',
    '"x',
    'undefined',
    'NaN',
    '{"a":1}{"b":2}',
    '\ufeff{}',
  ],
  ...[
    '{"a":01}',
    "{'a':1}",
    '{"a":1,}',
    '{"a":\u0000}',
    '"\\ud800"',
    '{"\\ud800":1}',
    '{"a":"\\u0000"}',
    '{"":""}',
  ],
  nested('[', ']', 10_000),
  nested('{"a":', '}', 10_000).replace('}', '1}'),
  `{"answers":${nested('[', ']', 10_000)}}`,
  `{"answers":{"name":"x","deep":${nested('[', ']', 33)}}}`,
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  '{"answers":{"name":"x","__proto__":1,"toString":1,"hasOwnProperty":{}}}',
  `{"accountId":${'9'.repeat(400)},"apiKey":"k","pool":"p"}`,
  '{"accountId":1e999,"apiKey":"k","pool":"p"}',
  '{"accountId":-0.0,"apiKey":"k","pool":"p"}',
  '{"accountId":9007199254740993,"apiKey":"k","pool":"p"}',
  `{"name":"${'x'.repeat(255_000)}"}`,
  `{"answers":{${Array.from({ length: 10_000 }, (_, index) => `"a${index}":1`).join(',')}}}`,
  `{${'"name":"x",'.repeat(20_000)}"name":"y"}`,
  `{"name":"${'x'.repeat(300_000)}"}`,
];

test('bodies that are not JSON, too deep, too long or malicious are refused on every route with a body', async () => {
  for (const operation of writing()) for (const body of fixedBodies) await send(operation, body);
});

const nastyText = fc.constantFrom(
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '..',
    '%00',
    '%2F',
    "'; drop table waiver; --",
    '\r\nX: y',
    '𝄞'.repeat(100),
    'x'.repeat(257),
  ],
  ...[
    'http://[::1',
    'https://x/?key=1#f',
    'javascript:1',
    '9999-99-99T99:99:99Z',
    '2026-02-30',
    '-271822-01-01T00:00:00Z',
  ],
  ...['standard', 'W-1', 'BK-1001', 'p', 'name', '__proto__', 'waiting', 'none', 'header', 'basic'],
);
const nastyNumber = fc.constantFrom(0, -1, 1.5, 1e21, 1e308, -1e308, 2 ** 53, Number.MIN_VALUE);
const nastyValue = fc.oneof(
  nastyText,
  nastyNumber,
  fc.constantFrom(null, true, false, [], {}),
  fc.array(nastyText, { maxLength: 3 }),
  fc.dictionary(nastyText, fc.oneof(nastyText, nastyNumber), { maxKeys: 3 }),
  fc.record({ type: nastyText, name: nastyText, value: nastyText, username: nastyText, password: nastyText }),
  fc.jsonValue({ maxDepth: 3 }),
);

test('any JSON, with the names that a route knows and others', async () => {
  expect(writing().filter(({ bodyFields = [] }) => bodyFields.length > 0).length).toBeGreaterThanOrEqual(10);
  for (const operation of writing()) {
    const names = operation.bodyFields ?? [];
    const knownNames = fc.record(Object.fromEntries(names.map((name) => [name, nastyValue])), {
      requiredKeys: [],
    });
    const anyBody = fc.oneof(
      { weight: 6, arbitrary: knownNames },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
      { weight: 1, arbitrary: fc.dictionary(fc.string({ unit: 'binary' }), nastyValue) },
    );
    await fc.assert(
      fc.asyncProperty(anyBody, (body) => send(operation, JSON.stringify(body))),
      { numRuns: names.length === 0 ? 10 : 60, endOnFailure: true },
    );
  }
});

test('a value of another kind in each field that a route knows', async () => {
  for (const operation of writing()) {
    for (const name of operation.bodyFields ?? []) {
      for (const value of [[['x']], { toString: 'x' }, [null]]) {
        await send(operation, JSON.stringify({ [name]: value }));
      }
    }
  }
});
