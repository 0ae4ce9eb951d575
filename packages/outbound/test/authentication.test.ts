import type { SignableRequest } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import type { Exchange, HttpTarget, HttpUse } from '../src/index.ts';
import { openWayOut } from './loopback-servers.ts';

// Answers with the request as it came.
const {
  outbound,
  server,
  url: address,
} = await openWayOut(
  async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { method, url, headers, rawHeaders } = request;
    const body = Buffer.concat(chunks).toString('base64');
    response.statusCode = Number(new URL(url ?? '', 'http://x').searchParams.get('status') ?? 200);
    response.end(JSON.stringify({ method, url, headers, rawHeaders, body }));
  },
  { timeoutMs: 2_000 },
);
const base = `${address}/partner/api`;

const client = (target: Partial<HttpTarget>, use: Partial<HttpUse> = {}) =>
  outbound.prepareHttp({ baseUrl: base, headers: {}, ...target })({
    signal: new AbortController().signal,
    ...use,
  });

describe('authenticate', () => {
  test('is given the request exactly as it is sent', async () => {
    const asked: SignableRequest[] = [];
    const now = new Date('2031-02-03T04:05:06.007Z');
    const { http } = client(
      {
        headers: { 'X-Standing': 'yes' },
        authenticate(request) {
          asked.push(request);
          return { headers: { 'X-Signature': 'abc' } };
        },
      },
      { now: () => now },
    );
    const options = { params: { q: "a b'(ü)" } };
    const answers = [
      await http.get("/bookings/a%2Fb'c", options),
      await http.post('x', { name: 'Zoë' }),
      await http.put('x', 'ünï', { headers: { 'Content-Type': 'text/plain', 'X-Own': '1' } }),
      await http.request({ method: 'patch', url: 'x', data: Buffer.from([0, 255]) }),
    ];
    expect(asked).toHaveLength(answers.length);
    for (const [index, { method, url, headers, body, now: at }] of asked.entries()) {
      const { data: sent } = answers[index] ?? { data: {} };
      expect({ method, url: url.pathname + url.search, body: Buffer.from(body).toString('base64') }).toEqual({
        method: sent.method,
        url: sent.url,
        body: sent.body,
      });
      const {
        connection: _c,
        'content-length': _l,
        host: _h,
        'x-signature': signature,
        ...others
      } = sent.headers;
      expect(headers).toEqual(others);
      expect(signature).toBe('abc');
      expect(url.href.startsWith(`${base}/`)).toBe(true);
      expect(at).toBe(now);
    }
  });

  test('is asked for every request, and waited for', async () => {
    let calls = 0;
    const { http } = client({
      async authenticate() {
        calls += 1;
        const token = `token-${calls}`;
        await Promise.resolve();
        return { headers: { Authorization: token } };
      },
    });
    for (const expected of ['token-1', 'token-2', 'token-3']) {
      expect((await http.get('x')).data.headers.authorization).toBe(expected);
    }
  });

  test('is asked once the request may be made, so that what it signs is not old by then', async () => {
    const order: string[] = [];
    const { http } = client(
      {
        authenticate() {
          order.push('signed');
          return {};
        },
      },
      {
        beforeRequest: async () => {
          await Promise.resolve();
          order.push('its turn');
        },
      },
    );
    await http.get('x');
    expect(order).toEqual(['its turn', 'signed']);
  });

  test('makes no call if it took all the time', async () => {
    const { http } = client(
      { authenticate: () => new Promise((resolve) => setTimeout(() => resolve({}), 60)) },
      { deadlineAt: performance.now() + 50 },
    );
    await expect(http.get('x')).rejects.toMatchObject({ code: 'booking_system_timeout', inDoubt: false });
  });

  test('adds parameters to the query, encoded, and headers in place of others', async () => {
    const { http } = client({
      headers: { 'Api-Key': 'standing' },
      authenticate: () => ({ headers: { 'api-KEY': 'own' }, query: { sig: 'a+b/c==&d', 'k y': '1' } }),
    });
    const query = 'sig=a%2Bb%2Fc%3D%3D%26d&k%20y=1';
    expect((await http.get('x')).data.url).toBe(`/partner/api/x?${query}`);
    const { data } = await http.get('x', { params: { id: "o'k" } });
    expect(data.url).toBe(`/partner/api/x?id=o%27k&${query}`);
    expect(data.rawHeaders.filter((name: string) => /^api-key$/i.test(name))).toEqual(['api-KEY']);
    expect(data.headers['api-key']).toBe('own');
  });

  test('cannot send the request to another address', async () => {
    const { http } = client({
      authenticate({ url }) {
        url.host = 'elsewhere.example';
        url.pathname = '/other';
        return {};
      },
    });
    expect((await http.get('x')).data.url).toBe('/partner/api/x');
  });

  test('rejects the call with its own error, and sends nothing', async () => {
    const before = server.connections();
    const refusal = new Error('no token');
    const { http } = client({ authenticate: () => Promise.reject(refusal) });
    await expect(http.get('x')).rejects.toBe(refusal);
    const { http: broken } = client({ authenticate: () => ({ headers: { 'X-Sig': 'a\r\nb: c' } }) });
    await expect(broken.get('x')).rejects.toThrow(/header "X-Sig" has a character/);
    expect(server.connections()).toBe(before);
  });
});

describe('what a use has sent', () => {
  const shownBy = async (target: Partial<HttpTarget>, headers?: Record<string, string>) => {
    const exchanges: Exchange[] = [];
    const { http, secrets } = client(target, { onExchange: (exchange) => exchanges.push(exchange) });
    await http.get('x', { params: { status: '502' }, ...(headers && { headers }) });
    const { url, excerpt } = exchanges[0] ?? {};
    return { shown: `${url} ${excerpt}`, secrets };
  };

  test('is not shown: a header, a token or a parameter that authenticate added', async () => {
    const { shown, secrets } = await shownBy({
      authenticate: () => ({
        headers: { Authorization: 'Bearer the-token-of-this-request', 'X-Sig': 'c2lnbmF0dXJl+/=' },
        query: { code: 'one/time+code=' },
      }),
    });
    expect(shown).toContain('«redacted»');
    expect(shown).not.toMatch(/the-token|c2lnbmF0|one.{1,3}time/);
    expect(secrets.redact('a the-token-of-this-request b')).toBe('a «redacted» b');
    expect(secrets.redactData('the-token-of-this-request, one/time+code=')).toBe(
      '«redacted», one/time+code=',
    );
  });

  test('is not shown: a credential in a request’s own headers', async () => {
    const token = 'Bearer a-token-of-the-plugin';
    const { shown, secrets } = await shownBy(
      {},
      { Authorization: token, 'If-Match': '"version-0123456789"' },
    );
    expect(shown).not.toContain('a-token-of-the-plugin');
    expect(shown).toContain('version-0123456789');
    expect(secrets.redactData(`said ${token}`)).toBe('said «redacted»');
  });

  test('is known to the uses of its own connection and call only', async () => {
    let calls = 0;
    const prepared = outbound.prepareHttp({
      baseUrl: base,
      headers: { 'X-App': 'the-key-of-the-application' },
      secrets: { apiKey: 'the-key-of-the-account' },
      authenticate() {
        calls += 1;
        return { headers: { 'X-Sig': `signature-number-00${calls}` } };
      },
    });
    const { signal } = new AbortController();
    const [first, second] = [prepared({ signal }), prepared({ signal })];
    await first.http.get('x');
    await second.http.get('x');
    await second.http.get('x');
    const text = [1, 2, 3].map((call) => `signature-number-00${call}`).join(' ');
    expect(first.secrets.redact(text)).toBe('«redacted» signature-number-002 signature-number-003');
    expect(second.secrets.redact(text)).toBe('signature-number-001 «redacted» «redacted»');
    expect(second.secrets.redact('the-key-of-the-application, the-key-of-the-account.')).toBe(
      '«redacted», «redacted».',
    );
  });

  test('does not count a time as a secret', async () => {
    const date = '2031-02-03 04:05:06';
    const { secrets } = await shownBy({
      authenticate: () => ({ headers: { 'X-Date': date }, query: { timestamp: '1927944306007000' } }),
    });
    expect(secrets.redactData(`${date} 1927944306007000`)).toBe(`${date} 1927944306007000`);
  });
});
