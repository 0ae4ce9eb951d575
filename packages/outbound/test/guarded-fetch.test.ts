import { expect, test } from 'vitest';
import { createOutbound } from '../src/index.ts';
import { openWayOut, serveSilence } from './loopback-servers.ts';

const { outbound, url: address } = await openWayOut(
  async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    response.statusCode = Number(searchParams.get('status') ?? 200);
    response.setHeader('content-type', 'application/json');
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    if (response.statusCode === 302) response.setHeader('location', '/elsewhere');
    const { 'x-one': header, 'accept-encoding': encoding } = request.headers;
    const echo = JSON.stringify({ method: request.method, header, encoding, body });
    response.end(searchParams.get('long') === null ? echo : 'x'.repeat(1_001));
  },
  { timeoutMs: 5_000, maxResponseBytes: 1_000 },
);
const url = `${address}/`;

const get = (address: string) => outbound.fetch(address, { method: 'GET', headers: {} });

test('answers as fetch does, whatever the status', async () => {
  const request = { method: 'POST', headers: { 'x-one': '1' }, body: 'a=b' };
  const response = await outbound.fetch(`${url}?status=401`, request);
  expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json']);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.json()).toEqual({ method: 'POST', header: '1', encoding: 'identity', body: 'a=b' });
  expect(await (await get(`${url}?status=204`)).text()).toBe('');
});

test.each([
  ['a private address', 'http://10.0.0.1/', 'blocked_address'],
  ['plain http', 'http://example.com/', undefined],
  ['no address', 'nowhere', undefined],
  ['a redirect', '?status=302', 'redirect'],
  ['too long an answer', '?long', 'response_too_large'],
])('rejects %s', async (_name, address, outboundErrorCode) => {
  const called = get(address.startsWith('?') ? `${url}${address}` : address);
  const error: unknown = await called.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Error);
  if (outboundErrorCode !== undefined) expect(error).toMatchObject({ outboundErrorCode });
});

test('gives up when its time is over, and when its caller does', async () => {
  const silence = await serveSilence();
  try {
    const address = `http://127.0.0.1:${silence.port}/`;
    const impatient = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 300, maxResponseBytes: 1_000 });
    const waited = impatient.fetch(address, { method: 'GET', headers: {} });
    await expect(waited).rejects.toMatchObject({ outboundErrorCode: 'timeout' });
    await impatient.close();
    const signal = AbortSignal.timeout(10);
    const called = outbound.fetch(address, { method: 'GET', headers: {}, signal });
    await expect(called).rejects.toThrow('was given up');
  } finally {
    await silence.close();
  }
});
