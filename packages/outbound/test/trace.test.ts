import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound, type TraceStep } from '../src/index.ts';
import { createNameResolver } from '../src/names/name-resolver.ts';
import { type LoopbackServer, type NameServer, serveHttp, startNameServer } from './loopback-servers.ts';

/** A certificate that signed itself, for localhost and 127.0.0.1, and its key: only for tests. */
const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUWs+TiSE/Fx9gMIo3t+od2EPBk3YwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAyNDMyNloYDzIxMjYxMDI5
MDI0MzI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQOoJOMOmyBAioqJNz+BhW4On7cbHrMqQIDIVKJav7l4DYOoJ0F15Ly
np8jSHY+lc6GbIRRNjgbsWnwNtnGQOnoo28wbTAdBgNVHQ4EFgQUAoYFh82YFU6H
tdM6uCI56I1baQEwHwYDVR0jBBgwFoAUAoYFh82YFU6HtdM6uCI56I1baQEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgft8foM618pov3iRmZgFBQxvtpsIYiEXFNWpbznM1GeUCIQDm
zpiNsFQMNxIT2QNZkCWt2x1POaQ6GZFEb4Q1579LqQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwuvZncZ0pMA0pYkn
QITmIX3/C7G88gwnu4EaHhorXw2hRANCAAQOoJOMOmyBAioqJNz+BhW4On7cbHrM
qQIDIVKJav7l4DYOoJ0F15Lynp8jSHY+lc6GbIRRNjgbsWnwNtnGQOno
-----END PRIVATE KEY-----`,
};

const key = 'the-account-key-93b1';
let names: NameServer;
let server: LoopbackServer;
let outbound: Outbound;
let answer: string;

beforeEach(async () => {
  answer = '{}';
  names = await startNameServer((name) => (name.startsWith('known') ? { ipv4: ['127.0.0.1'] } : {}));
  server = await serveHttp((request, response) => {
    response.setHeader('x-echo', String(request.headers['api-key']));
    response.setHeader('set-cookie', 'session=of-the-server');
    response.end(answer);
  });
  outbound = createOutbound({
    allow: ['127.0.0.1/32'],
    timeoutMs: 2_000,
    nameResolver: createNameResolver({
      deadlineMs: 1_000,
      nameServers: [names.address],
      resolvConf: '/nowhere',
      families: [4],
    }),
  });
});
afterEach(async () => {
  await outbound.close();
  await server.close();
  await names.close();
});

/** Reads under an address, and tells what the trace saw. */
async function traced(baseUrl: string, paths: readonly string[] = ['bookings/7']) {
  const trace = outbound.openTrace();
  const { http } = outbound.prepareHttp({ baseUrl, headers: { 'Api-Key': key } })({
    signal: new AbortController().signal,
    trace,
  });
  let failure: unknown;
  try {
    for (const path of paths) await http.get(path, { params: { token: 'of-the-address' } });
  } catch (error) {
    failure = error;
  }
  await trace.close();
  return { steps: trace.steps(), failure };
}

const kinds = (steps: readonly TraceStep[]) => steps.map(({ kind }) => kind);
const requestIn = (steps: readonly TraceStep[]) => {
  const step = steps.find(({ kind }) => kind === 'request');
  if (step?.kind !== 'request') throw new Error('no request');
  return step;
};

describe('a traced call', () => {
  test('is told step by step, in order, each with its time', async () => {
    answer = JSON.stringify({ id: '7', echoed: key });
    const { steps, failure } = await traced(`http://known.example:${server.port}/api`);
    expect(failure).toBeUndefined();
    expect(kinds(steps)).toEqual(['dns', 'connect', 'request', 'parse']);
    expect(steps[0]).toMatchObject({ host: 'known.example', addresses: ['127.0.0.1'] });
    expect(steps[1]).toMatchObject({ address: '127.0.0.1', port: server.port });
    for (const { startedMs, durationMs } of steps) {
      expect(startedMs).toBeGreaterThanOrEqual(0);
      expect(durationMs).toBeGreaterThanOrEqual(0);
    }
    const { answeredAfterMs = 0, startedMs, durationMs } = requestIn(steps);
    expect(answeredAfterMs).toBeGreaterThanOrEqual(startedMs);
    expect(answeredAfterMs).toBeLessThanOrEqual(startedMs + durationMs + 0.1);
  });

  test('shows neither the key nor what else is secret, on either side', async () => {
    answer = JSON.stringify({ id: '7', echoed: key });
    const { steps } = await traced(`http://known.example:${server.port}/api`);
    const request = requestIn(steps);
    expect(request).toMatchObject({
      method: 'GET',
      url: `http://known.example:${server.port}/api/bookings/7?token=redacted`,
      answer: {
        status: 200,
        body: { text: '{"id":"7","echoed":"«redacted»"}', bytes: answer.length, isWhole: true },
      },
    });
    const headerIn = (headers: readonly { name: string; value: string }[] = [], name: string) =>
      headers.find((header) => header.name.toLowerCase() === name)?.value;
    expect(headerIn(request.headers, 'api-key')).toBe('«redacted»');
    expect(headerIn(request.headers, 'accept')).toBe('application/json');
    expect(headerIn(request.answer?.headers, 'x-echo')).toBe('«redacted»');
    expect(headerIn(request.answer?.headers, 'set-cookie')).toBe('«redacted»');
    expect(JSON.stringify(steps)).not.toMatch(/the-account-key|of-the-address|of-the-server/);
  });

  test('opens a new connection, even where others are open', async () => {
    const url = `http://127.0.0.1:${server.port}`;
    await outbound.endpoint({ url, headers: {} }).post({ body: '{}' });
    const { steps } = await traced(url);
    expect(kinds(steps)).toEqual(['connect', 'request', 'parse']);
    expect(server.connections()).toBe(2);
  });

  test('keeps the beginning of a large answer, and says how large it was', async () => {
    answer = JSON.stringify('x'.repeat(300_000));
    const { steps } = await traced(
      `http://127.0.0.1:${server.port}`,
      Array.from({ length: 6 }, () => '1'),
    );
    const bodies = steps.flatMap((step) => (step.kind === 'request' ? (step.answer?.body ?? []) : []));
    expect(bodies[0]).toMatchObject({ bytes: 300_002, isWhole: false });
    const kept = bodies.map(({ text }) => text.length);
    expect(Math.max(...kept)).toBeLessThanOrEqual(256 * 1024);
    expect(kept.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(1024 * 1024);
  });
});

test('an answer that is no JSON is told', async () => {
  answer = '<html>';
  const { steps } = await traced(`http://127.0.0.1:${server.port}`);
  expect(steps.at(-1)).toMatchObject({ kind: 'parse', failure: expect.stringMatching(/not JSON/) });
});

describe('a traced call that fails says at which step', () => {
  test('a name that does not resolve', async () => {
    const { steps, failure } = await traced('https://unknown.example');
    expect(failure).toMatchObject({ outboundErrorCode: 'dns_error' });
    expect(steps).toMatchObject([
      { kind: 'dns', host: 'unknown.example', failure: expect.stringMatching(/no such name/) },
      { kind: 'request', failure: expect.stringMatching(/does not resolve/) },
    ]);
  });

  test('a name that leads where it may not', async () => {
    const closed = createOutbound({
      allow: [],
      timeoutMs: 1_000,
      nameResolver: createNameResolver({ deadlineMs: 500, nameServers: [names.address], families: [4] }),
    });
    const trace = closed.openTrace();
    const { http } = closed.prepareHttp({ baseUrl: 'https://known.example', headers: {} })({
      signal: new AbortController().signal,
      trace,
    });
    await expect(http.get('x')).rejects.toMatchObject({ outboundErrorCode: 'blocked_address' });
    expect(trace.steps()).toMatchObject([{ kind: 'dns', failure: expect.stringMatching(/loopback/) }, {}]);
    await expect(
      closed
        .prepareHttp({ baseUrl: 'https://10.0.0.1', headers: {} })({
          signal: new AbortController().signal,
          trace,
        })
        .http.get('x'),
    ).rejects.toMatchObject({ outboundErrorCode: 'blocked_address' });
    expect(trace.steps().at(2)).toMatchObject({ kind: 'connect', failure: expect.stringMatching(/private/) });
    await trace.close();
    await closed.close();
  });

  test('a closed port', async () => {
    const { port } = server;
    await server.close();
    const { steps, failure } = await traced(`http://127.0.0.1:${port}`);
    expect(failure).toMatchObject({ outboundErrorCode: 'connection_refused' });
    expect(steps).toMatchObject([{ kind: 'connect', failure: expect.stringMatching(/ECONNREFUSED/) }, {}]);
  });

  test('a certificate that is not trusted, and one that is', async () => {
    const secure = https.createServer(selfSigned, (_request, response) => response.end('{}'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { port } = secure.address() as AddressInfo;
    const { steps, failure } = await traced(`https://127.0.0.1:${port}`);
    expect(failure).toMatchObject({ outboundErrorCode: 'tls_error' });
    expect(steps).toMatchObject([
      { kind: 'connect', port },
      { kind: 'tls', failure: expect.stringMatching(/self-signed/) },
      { kind: 'request', failure: expect.stringMatching(/not trusted here/) },
    ]);
    secure.close();
    secure.closeAllConnections();
  });
});
