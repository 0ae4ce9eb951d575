import { createSocket } from 'node:dgram';
import http, { createServer } from 'node:http';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { inspect } from 'node:util';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clause } from '../src/clause.ts';
import { allClauses, clausesFor, lineAboutOthers, runClause } from '../src/run-contract-suite.ts';
import { withParts } from './bad-plugins/alterations.ts';
import { searching } from './bad-plugins/native.ts';
import { goodNativePlugin, nativeOptions } from './good-native-plugin.ts';
import { goodLegacyPlugin, goodPlugin } from './good-plugins.ts';
import { goodSignedPlugin, signedOptions, signedParts, signedPlugin } from './good-signed-plugin.ts';

async function closingServer(): Promise<number> {
  const server = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return port;
}

/** Waits until a connection is made or refused, and ends it. */
async function tried(connection: NodeJS.EventEmitter & { destroy(): unknown }): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['connect', 'response', 'error', 'close']) connection.on(event, () => resolve());
  });
  connection.destroy();
}

/** The message of a clause that fails a plugin that also does this when it reads. */
async function messageOf(id: string, callAround: () => Promise<unknown>): Promise<string> {
  const plugin = withParts({
    async fetchBooking(context, bookingId) {
      await callAround().catch(() => undefined);
      return goodPlugin.fetchBooking(context, bookingId);
    },
  });
  return runClause(clause(id), plugin).then(() => 'passed', String);
}

test.each<[string, (port: number) => Promise<unknown>, RegExp]>([
  ['fetch', (port) => fetch(`http://127.0.0.1:${port}/x`), /fetch or undici: GET http:.*\/x/],
  ['node:http', (port) => tried(http.get(`http://127.0.0.1:${port}/x`)), /node:http: GET/],
  ['node:http2', (port) => tried(http2.connect(`http://127.0.0.1:${port}`)), /a TCP connection/],
  ['node:net', (port) => tried(net.connect(port, '127.0.0.1')), /a TCP connection/],
  ['node:tls', (port) => tried(tls.connect(port, '127.0.0.1')), /a TCP connection/],
  [
    'node:dgram',
    async (port) => {
      const socket = createSocket('udp4');
      await new Promise((resolve) => socket.send('x', port, '127.0.0.1', resolve));
      socket.close();
    },
    /a UDP socket/,
  ],
])('a call by %s is noticed, by every clause', async (_module, callAround, expected) => {
  const port = await closingServer();
  for (const id of ['client/only-way-out', 'read/current-form']) {
    const message = await messageOf(id, () => callAround(port));
    expect(message).toMatch(/^Error: the plugin made calls without context/);
    expect(message).toMatch(expected);
  }
});

test('a plugin that calls only by its client is not suspected', async () => {
  expect(await messageOf('client/only-way-out', () => Promise.resolve())).toBe('passed');
});

function clause(id: string): Clause {
  const found = allClauses.find((one) => one.id === id);
  if (!found) throw new Error(`there is no clause ${id}`);
  return found;
}

/** Makes a request too many. */
const eagerPlugin = withParts({
  async fetchBooking(context, bookingId) {
    await context.http.get('bookings/another').catch(() => undefined);
    return goodPlugin.fetchBooking(context, bookingId);
  },
});

/** Makes no request at all. */
const idlePlugin = withParts({
  pushWaiver: async () => ({ accepted: true, warnings: [] }),
});

const applying = (plugin: BookingSystemPlugin) => clausesFor(plugin).map(({ id }) => id);

describe('a clause is not passed by chance', () => {
  test('an unexpected request fails it, and is named', async () => {
    await expect(runClause(clause('read/current-form'), eagerPlugin)).rejects.toThrow(
      /unexpected request.*GET .*\/bookings\/BK-2001/,
    );
  });

  test('a request that is never made fails it', async () => {
    await expect(runClause(clause('guest-update/success'), idlePlugin)).rejects.toThrow('never made');
  });

  test('a native plugin without scenarios fails it, with a message that says what is needed', async () => {
    await expect(runClause(clause('native/bodies'), goodNativePlugin)).rejects.toThrow('must give scenarios');
    await expect(runClause(clause('error/401'), goodNativePlugin)).rejects.toThrow('must give scenarios');
  });

  test('the report of a leak does not contain the secret', async () => {
    const leaking = withParts({
      fetchBooking: async ({ account }) => {
        throw new Error(`wrong key ${account.apiKey}`);
      },
    });
    const report = await runClause(clause('secrets/read-errors'), leaking).catch((error: unknown) => error);
    expect(report).toBeInstanceOf(Error);
    expect(inspect(report, { depth: 10 })).not.toContain('planted-account-key');
  });
});

test('a search that compares the id of what it found passes', async () => {
  const { plugin, options } = searching((results, id) => results.find(({ ref }) => ref === id));
  await expect(runClause(clause('native/search'), plugin, options)).resolves.toEqual([]);
});

describe('a failed scenario says', () => {
  const { native } = nativeOptions;
  const [body] = native.bodies;
  const failureOf = (options: typeof nativeOptions, id = 'native/bodies') =>
    runClause(clause(id), goodNativePlugin, options);

  test('its name and the request that differs, whatever the plugin makes of the response', async () => {
    const readRequest = { ...native.readRequest, path: '/orders/{bookingId}' };
    const scenarios = { ...native, readRequest, bodies: [{ ...body, body: 'no reservation' }] as const };
    await expect(failureOf({ ...nativeOptions, native: scenarios })).rejects.toThrow(
      `scenario "${body.name}": request 1 (GET /orders/{bookingId}): the path: expected '/reservations/`,
    );
  });

  test('which requests were made, if one was never made', async () => {
    const further = [...(body.further ?? []), { request: native.readRequest, answer: {} }];
    const scenarios = { ...native, bodies: [{ ...body, further }] as const };
    await expect(failureOf({ ...nativeOptions, native: scenarios })).rejects.toThrow(
      new RegExp(`^scenario "${body.name}": the number of requests \\(GET /reservations/`),
    );
  });

  test('that its own isAuthentic may be wrong', async () => {
    const refusing = { ...nativeOptions, isAuthentic: () => false };
    await expect(failureOf(refusing)).rejects.toThrow(
      /the isAuthentic of the plugin’s test accepts GET .* it or the plugin is wrong.* authorization/,
    );
    const accepting = { ...nativeOptions, isAuthentic: () => true };
    await expect(failureOf(accepting, 'authentication/other-secret')).rejects.toThrow(
      /the isAuthentic of the plugin’s test refuses GET .*, which has other secrets/,
    );
  });
});

describe('only what the plugin declares decides what is skipped', () => {
  test('a plugin with `authenticate` skips the contract’s key, and must be authentic instead', () => {
    const ids = applying(goodSignedPlugin);
    expect(ids).toEqual(expect.arrayContaining(['authentication/authentic', 'authentication/other-secret']));
    expect(ids.filter((id) => id.endsWith('/auth-header'))).toEqual(['manifest/auth-header']);
  });

  test('a plugin that accepts no waivers skips Guest Update', () => {
    expect(applying(goodLegacyPlugin).filter((id) => id.startsWith('guest-update/'))).toEqual([]);
    expect(applying(goodLegacyPlugin)).not.toContain('read/current-form');
    expect(applying(goodLegacyPlugin)).toContain('read/legacy-form');
  });

  test('a native plugin runs the error clauses, but not those about the contract’s forms', () => {
    const ids = applying(goodNativePlugin);
    expect(ids).toEqual(expect.arrayContaining(['error/401', 'error/timeout', 'secrets/read-errors']));
    expect(ids).toEqual(
      expect.arrayContaining(['guest-update/429-date', 'native/guest-updates', 'inbound/notices']),
    );
    expect(ids.filter((id) => id.startsWith('tolerance/'))).toEqual([]);
    expect(ids).not.toContain('guest-update/body');
  });

  test('a plugin that follows the contract skips only the clauses for others', () => {
    const skipped = allClauses.map(({ id }) => id).filter((id) => !applying(goodPlugin).includes(id));
    expect(
      skipped.filter(
        (id) =>
          !/^(native|aliases|lists|changes|access|authentication|session|judged|inbound|webhooks)\//.test(id),
      ),
    ).toEqual([]);
  });
});

test('what does not apply is counted in one line, by reason', () => {
  const line = lineAboutOthers(goodLegacyPlugin) ?? '';
  const counts = [...line.matchAll(/\((\d+)\)/g)].map(([, count]) => Number(count));
  const others = allClauses.length - applying(goodLegacyPlugin).length;
  expect(line).toMatch(`good-legacy: ${others} clauses do not apply, because it `);
  expect(line).toMatch(/does not write the contract's waiver \(\d+\)/);
  expect(line.split('\n')).toHaveLength(1);
  expect(counts.reduce((total, count) => total + count, 0)).toBe(others);
});

test('after a clause the other tests of the same process may use the network', async () => {
  const server = createServer((_, response) => response.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await runClause(clause('read/current-form'), goodPlugin);
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(await answer.text()).toBe('reached');
});

/** The clauses about authentication that a plugin violates. */
async function violatedBy(plugin: BookingSystemPlugin, options = signedOptions): Promise<string[]> {
  const violated: string[] = [];
  for (const clause of allClauses.filter(({ id }) => id.startsWith('authentication/'))) {
    await runClause(clause, plugin, options).catch(() => violated.push(clause.id));
  }
  return violated;
}

const atStart = new Date();

describe('a mistake in a signature is noticed', () => {
  test.each<[string, Parameters<typeof signedPlugin>[0]]>([
    [
      'the path without the base address’s own',
      (request) => ({
        ...signedParts(request),
        address: signedParts(request).address.replace('/partner/api', ''),
      }),
    ],
    ['no query', (request) => ({ ...signedParts(request), address: request.url.pathname })],
    [
      'a decoded path',
      (request) => ({ ...signedParts(request), address: decodeURIComponent(signedParts(request).address) }),
    ],
    [
      'the date of the process’s start',
      (request) => ({ ...signedParts(request), date: signedParts({ ...request, now: atStart }).date }),
    ],
    [
      'a date in another notation',
      (request) => ({ ...signedParts(request), date: request.now.toISOString() }),
    ],
    [
      'a date without leading zeros',
      (request) => ({ ...signedParts(request), date: signedParts(request).date.replace('-0', '-') }),
    ],
    ['the system’s clock', (request) => signedParts({ ...request, now: new Date() })],
  ])('%s', async (_mistake, parts) => {
    expect(await violatedBy(signedPlugin(parts))).toContain('authentication/authentic');
  });

  test('none is found where there is none', async () => {
    expect(await violatedBy(signedPlugin(signedParts))).toEqual([]);
  });
});

test('a plugin’s test that does not say what is authentic, or accepts anything, is told so', async () => {
  const { isAuthentic: _isAuthentic, ...silent } = nativeOptions;
  expect(await violatedBy(goodNativePlugin, silent)).toEqual([
    'authentication/authentic',
    'authentication/other-secret',
  ]);
  expect(await violatedBy(goodNativePlugin, { ...nativeOptions, isAuthentic: () => true })).toEqual([
    'authentication/other-secret',
  ]);
});
