import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { problemOf } from '../src/answers/problems.ts';
import { problemDetails } from '../src/app/request-data.ts';
import { loggableUrl } from '../src/app/request-log.ts';

const secret = 'wsp_0123456789';

test.each([
  'key',
  'KEY',
  'k%65y',
  '%6Bey',
  'key%20',
  '+key',
  'api-key',
  'apiKey',
  'token',
  'access_token',
  'x',
])('the value of an unknown parameter is not logged: %s', (name) => {
  expect(loggableUrl(`/integration/webhook/x?limit=1&${name}=${secret}=&pool=2`)).toBe(
    `/integration/webhook/x?limit=1&${name}=[redacted]&pool=2`,
  );
});

test('keys of this service are never logged, wherever they appear', () => {
  const key = `wsp_${'a1-_'.repeat(10)}`;
  for (const url of [
    `/${key}`,
    `/v1/pools/${key}/waivers`,
    `/x?pool=${key}`,
    `/x?${key}`,
    `/x?${key}=1&limit=${key}`,
  ]) {
    expect(loggableUrl(url)).not.toContain('a1-_');
  }
});

test('the token of an unsubscription is not logged', () => {
  expect(loggableUrl('/unsubscribe/p%20one/hash.proof-1_?language=de')).toBe(
    '/unsubscribe/p%20one/[redacted]?language=[redacted]',
  );
});

test('the rest of an address is logged unchanged', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.webQueryParameters(), (url, value) => {
      // Without `@`: what stands between `:` and `@` behind a host could be a password.
      const filled = `${url}?limit=1&bookingId=${value.replaceAll(/[&@]/g, '')}&flag`;
      expect(loggableUrl(filled)).toBe(filled);
    }),
  );
});

const schema = z.strictObject({
  list: z.array(z.strictObject({ id: z.union([z.string().max(3), z.int()]) })),
});

describe('faults in a body are named by path', () => {
  test.each([
    [{ list: [], colour: 1, size: 2 }, ['colour', 'size']],
    [{ list: [{ id: 'a', extra: 1 }] }, ['list[0].extra']],
    [{ list: [{ id: 'long' }, {}] }, ['list[0].id', 'list[1].id']],
    [{}, ['list']],
  ])('%j', (body, paths) => {
    const { error } = schema.safeParse(body);
    expect(error && problemDetails(error).map(({ path }) => path)).toEqual(paths);
  });
});

const coded = (message: string, more: Readonly<Record<string, unknown>>) =>
  Object.assign(new Error(message), more);

test.each<[string, Error]>([
  ['no connection is left', coded('sorry, too many clients already', { code: '53300' })],
  ['it is being stopped', coded('terminating connection', { code: '57P01' })],
  ['it is starting', coded('the database system is starting up', { code: '57P03' })],
  ['a statement took too long', coded('canceling statement', { code: '57014' })],
  ['it takes no writes any more', coded('cannot execute INSERT', { code: '25006' })],
  ['no listener', coded('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' })],
  ['its socket is not there', coded('connect ENOENT', { code: 'ENOENT', syscall: 'connect' })],
  [
    'none of its addresses answers',
    new AggregateError([coded('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' })]),
  ],
  ['the connection broke', new Error('Connection terminated unexpectedly')],
  ['every connection is busy', new Error('timeout exceeded when trying to connect')],
])('database unavailable (%s): 503 with advice', (_why, error) => {
  expect(problemOf(error)).toMatchObject({
    status: 503,
    code: 'database_unavailable',
    message: expect.stringContaining('send it again'),
    headers: { 'retry-after': '5' },
  });
});

test.each<[string, Error]>([
  ['a transaction that was broken off before', coded('aborted', { code: '25P02' })],
  ['a value that it refuses', coded('duplicate key', { code: '23505' })],
  ['a file that is not there', coded('open ENOENT', { code: 'ENOENT', syscall: 'open' })],
  ['a bug', new TypeError('undefined is not a function')],
])('%s is no such thing: 500', (_why, error) => {
  expect(problemOf(error)).toMatchObject({ status: 500, code: 'internal' });
});
