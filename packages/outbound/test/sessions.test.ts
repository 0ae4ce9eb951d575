import type { RequestListener } from 'node:http';
import type { BookingSystemResponse, Session } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import type { Exchange, HttpTarget, HttpUse, SessionWait } from '../src/index.ts';
import { openWayOut } from './loopback-servers.ts';

interface Received {
  readonly authorization: string | undefined;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
}

const received: Received[] = [];
let answer = (_request: Received): { status?: number; body?: unknown } => ({});

const listener: RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { method, url, headers } = request;
  const body = Buffer.concat(chunks).toString();
  const came = { authorization: headers.authorization, method, url, body };
  received.push(came);
  const { status = 200, body: answered = {} } = answer(came);
  response.statusCode = status;
  response.end(typeof answered === 'string' ? answered : JSON.stringify(answered));
};
const { outbound, url: address } = await openWayOut(listener, { timeoutMs: 2_000 });
const { url: elsewhere } = await openWayOut(listener);
const base = `${address}/partner/api`;

const client = (target: Partial<HttpTarget>, use: Partial<HttpUse> = {}) => {
  received.length = 0;
  return outbound.prepareHttp({ baseUrl: base, headers: {}, ...target })({
    signal: new AbortController().signal,
    ...use,
  });
};

const tokenOf = (nth: number) => `access-token-number-${nth}`;

/** A source whose every session is another one. */
function sessionsOf(tokens: readonly (string | undefined)[]) {
  const waits: SessionWait[] = [];
  const refused: Session[] = [];
  const next = () => {
    const accessToken = tokens[waits.length - 1];
    return accessToken === undefined ? undefined : { accessToken, refreshToken: `refresh-of-${accessToken}` };
  };
  return {
    waits,
    refused,
    source: {
      async current(wait: SessionWait) {
        waits.push(wait);
        const session = next();
        if (session === undefined) throw new Error('there is no session');
        return session;
      },
      async replace(former: Session, wait: SessionWait) {
        refused.push(former);
        waits.push(wait);
        return next();
      },
      isRefusal: ({ status }: BookingSystemResponse) => status === 401,
    },
  };
}

const bearer: HttpTarget['authenticate'] = (_request, session) => ({
  headers: { Authorization: `Bearer ${session?.accessToken}` },
});

const refusing =
  (...tokens: readonly string[]) =>
  ({ authorization = '' }: Received) =>
    tokens.includes(authorization.slice('Bearer '.length)) ? { status: 401, body: 'no' } : {};

describe('a request with a session', () => {
  test('is authenticated with it, and asks for it before its turn', async () => {
    answer = () => ({});
    const { source, waits } = sessionsOf([tokenOf(1)]);
    const order: string[] = [];
    const deadlineAt = performance.now() + 60_000;
    const { http } = client(
      {
        authenticate: bearer,
        sessions: {
          ...source,
          current: (wait) => {
            order.push('session');
            return source.current(wait);
          },
        },
      },
      { deadlineAt, beforeRequest: async () => void order.push('turn') },
    );
    await http.get('x');
    expect(received.map(({ authorization }) => authorization)).toEqual([`Bearer ${tokenOf(1)}`]);
    expect(order).toEqual(['session', 'turn']);
    expect(waits[0]?.deadlineAt).toBe(deadlineAt);
  });

  test('that is refused is made once more, in full, with another session', async () => {
    answer = refusing(tokenOf(1));
    const { source, refused } = sessionsOf([tokenOf(1), tokenOf(2)]);
    let turns = 0;
    const { http } = client(
      { authenticate: bearer, sessions: source },
      {
        beforeRequest: async () => {
          turns += 1;
        },
      },
    );
    const { status } = await http.post('x?a=1', { name: 'Zoë' });
    expect(status).toBe(200);
    expect(refused.map(({ accessToken }) => accessToken)).toEqual([tokenOf(1)]);
    expect(received.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${tokenOf(1)}`,
      `Bearer ${tokenOf(2)}`,
    ]);
    const [first, second] = received;
    expect(second).toEqual({ ...first, authorization: `Bearer ${tokenOf(2)}` });
    expect(turns).toBe(2);
  });

  test('is not made a third time', async () => {
    answer = refusing(tokenOf(1), tokenOf(2));
    const { source } = sessionsOf([tokenOf(1), tokenOf(2), tokenOf(3)]);
    const { http } = client({ authenticate: bearer, sessions: source });
    expect((await http.get('x')).status).toBe(401);
    expect(received).toHaveLength(2);
  });

  test('keeps its refusal where there is no other session', async () => {
    answer = refusing(tokenOf(1));
    const { source } = sessionsOf([tokenOf(1)]);
    const { http } = client({ authenticate: bearer, sessions: source });
    expect((await http.get('x')).status).toBe(401);
    expect(received).toHaveLength(1);
  });

  test('is not made if there is no session', async () => {
    const { source } = sessionsOf([]);
    const { http } = client({ authenticate: bearer, sessions: source });
    await expect(http.get('x')).rejects.toThrow('there is no session');
    expect(received).toEqual([]);
  });

  test('shows neither token of either session', async () => {
    const tokens = [tokenOf(1), `refresh-of-${tokenOf(1)}`, tokenOf(2), `refresh-of-${tokenOf(2)}`];
    answer = () => ({ status: 401, body: tokens.join(' ') });
    const exchanges: Exchange[] = [];
    const { source } = sessionsOf([tokenOf(1), tokenOf(2)]);
    const { http, secrets } = client(
      { authenticate: bearer, sessions: source },
      { onExchange: (exchange) => exchanges.push(exchange) },
    );
    await http.get('x');
    const shown = [
      ...exchanges.map(({ excerpt }) => excerpt),
      ...tokens.map((token) => secrets.redact(token)),
    ];
    expect(shown.join('\n')).not.toMatch(/number-\d/);
  });
});

describe('a client for tokens', () => {
  const tokens = () => ({ origins: [elsewhere] });

  test('calls below the base address, and the allowed origins by absolute URLs', async () => {
    answer = () => ({});
    const { http } = client({ tokens: tokens() });
    await http.post('/token', 'a=1', { headers: { 'Content-Type': 'text/plain' } });
    await http.post(`${address}/outside/token`, 'a=1');
    await http.post(`${elsewhere}/token?x=1`, 'a=1', { params: { y: '2' } });
    expect(received.map(({ url }) => url)).toEqual([
      '/partner/api/token',
      '/outside/token',
      '/token?x=1&y=2',
    ]);
  });

  test.each([
    'http://127.0.0.1:1/token',
    'http://localhost:%/token',
    'https://127.0.0.1/token',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])('calls nothing at %s', async (address) => {
    const { http } = client({ tokens: tokens() });
    await expect(http.post(address, 'a=1')).rejects.toMatchObject({
      code: 'booking_system_error',
      message: expect.stringContaining('allowedOrigins'),
    });
    expect(received).toEqual([]);
  });

  test.each([
    'webhooks/.',
    'webhooks/..',
    'bookings/../guests',
    'bookings/%2E%2e/guests',
    '../v2/bookings/./guests?size=1',
    '../v2/bookings/..?size=1',
  ])('an id that URLs lose makes no call: %s', async (path) => {
    const { http } = client({});
    await expect(http.delete(path)).rejects.toMatchObject({
      code: 'booking_system_error',
      message: expect.stringContaining('no URL can carry'),
    });
    expect(received).toEqual([]);
  });

  test('a path may lead to another version of an API, and have dots in its segments and its query', async () => {
    const { http } = client({});
    await http.get('../v2/bookings/a..b/.c?day=../.');
    expect(received.map(({ url }) => url)).toEqual(['/partner/v2/bookings/a..b/.c?day=../.']);
  });

  test('is held to the address guard at an allowed origin too', async () => {
    const origin = 'http://127.0.0.2:9';
    const { http } = client({ tokens: { origins: [origin] } });
    await expect(http.post(`${origin}/token`, 'a=1')).rejects.toMatchObject({
      outboundErrorCode: 'blocked_address',
    });
  });

  const sent = {
    client_id: 'the-client',
    client_secret: 'sent-client-secret',
    grant_type: 'client_credentials',
  };
  const came = { access_token: 'came-access-token', nested: [{ ticket: 'came-ticket-of-20-characters' }] };

  test.each<[string, unknown]>([
    ['JSON', sent],
    ['a form', new URLSearchParams(sent).toString()],
  ])('shows nothing of what it sent as %s, or of the answer', async (_form, body) => {
    for (const status of [200, 400]) {
      answer = ({ body: echoed }) => ({
        status,
        body: { ...came, error: `no grant client_credentials: ${echoed}` },
      });
      const shownAtOnce: string[] = [];
      const { http, secrets } = client(
        { tokens: tokens() },
        { onExchange: ({ excerpt }) => shownAtOnce.push(excerpt) },
      );
      await http.post('/token', body);
      expect(shownAtOnce.join()).not.toMatch(/sent-client-secret|the-client|came-access-token/);
      const shown = secrets.redact('sent-client-secret came-access-token came-ticket-of-20-characters');
      // The text of a refusal is for people.
      expect(shown).toBe(
        `«redacted» «redacted» ${status === 200 ? '«redacted»' : 'came-ticket-of-20-characters'}`,
      );
      if (status === 400) expect(shownAtOnce.join()).toContain('no grant client_credentials');
    }
  });

  test('shows no token of a success that is no JSON, and no secret of the query', async () => {
    answer = () => ({ body: 'access_token=came-access-token&expires_in=3600' });
    const exchanges: Exchange[] = [];
    const { http, secrets } = client(
      { tokens: tokens() },
      { onExchange: (exchange) => exchanges.push(exchange) },
    );
    await http.post('/token', undefined, { params: { code: 'sent-code', grant_type: 'authorization_code' } });
    expect(secrets.redact('came-access-token sent-code')).not.toMatch(/came|sent/);
    expect(exchanges.map(({ url }) => url).join()).not.toContain('sent-code');
  });
});
