import { once } from 'node:events';
import { createServer, get, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { lockMovedPools } from '@waiver-service/store/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rawCall } from '../harness/raw-call.ts';
import { until } from '../harness/test-host.ts';
import {
  beginCopying,
  leaveUnheard,
  leaveWhileAwaited,
  markAsMoved,
  movePool,
  startTwoCells,
  type TwoCells,
} from '../harness/two-cells.ts';

/** A cell that answers with the request that it got. */
async function startEcho() {
  const unanswered = new Set<string>();
  const server = createServer(async (request, response) => {
    const kind = /(?<=pools\/)(?:silent|endless)/.exec(request.url ?? '')?.[0];
    if (kind !== undefined) {
      unanswered.add(kind);
      response.on('close', () => unanswered.delete(kind));
      if (kind === 'endless') response.write('{"items": [');
      return;
    }
    if (request.url?.includes('pools/garbage')) {
      const head = request.url.includes('status') ? '999 Odd' : '200 OK\r\nx-odd: \xff\r\nx-even: 1';
      response.socket?.end(Buffer.from(`HTTP/1.1 ${head}\r\ncontent-length: 2\r\n\r\n{}`, 'latin1'));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    response.setHeader('content-type', 'application/json');
    response.setHeader('set-cookie', 'session=of-another-cell');
    response.setHeader('x-request-id', 'id-at-the-other-cell');
    // It has none of the pools that are looked for.
    response.statusCode = url?.includes('/integration/') ? 404 : 207;
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/base`,
    /** Of `silent` and `endless`, what still waits for its answer. */
    unanswered,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let cells: TwoCells;
let echo: Awaited<ReturnType<typeof startEcho>>;

const waiver = (id: string) => ({ id, answers: { name: 'Ada Lovelace' } });
const account = { accountId: 'acc-1', apiKey: 'partner-key' };

/** A pool in a cell, with a token, and `standard` installed. */
async function preparePool({ admin }: TwoCells['eu1'], pool: string) {
  const made = await admin('PUT', `/v1/admin/pools/${pool}`, { name: pool });
  const token = await admin('POST', `/v1/admin/pools/${pool}/access-tokens`, {});
  const installed = await admin('PUT', `/v1/admin/pools/${pool}/installations/standard`, account);
  expect([made.status, token.status, installed.status]).toEqual([200, 201, 200]);
  return { token: String(token.body.token), poolKey: String(installed.body.apiKey) };
}

async function installKey({ admin }: TwoCells['eu1']): Promise<string> {
  const { body } = await admin('POST', '/v1/admin/booking-systems/standard/install-keys', {});
  return body.key;
}

const lineOf = ({ lines }: TwoCells['eu1'], requestId: unknown) =>
  until(() => {
    const line = lines.find((one) => one.includes(`"requestId":"${requestId}"`) && one.includes('"request '));
    return line === undefined ? undefined : JSON.parse(line);
  }, 'the line of a request');

beforeAll(async () => {
  echo = await startEcho();
  cells = await startTwoCells({ echo: echo.url }, { TRUST_PROXY: '127.0.0.1' });
});

afterAll(async () => {
  await cells.close();
  await echo[Symbol.asyncDispose]();
});

describe('a key of another cell', () => {
  test('opens its pool at every cell, and each says in its log where the request went', async () => {
    const { eu1, us1 } = cells;
    const { token } = await preparePool(us1, 'rafting');
    const path = '/v1/pools/rafting/waivers';
    const made = await eu1.call('POST', path, waiver('w 1'), { token });
    expect(made).toMatchObject({ status: 201, body: { id: 'w 1', pool: 'rafting', version: 1 } });
    const changed = await eu1.call('PATCH', `${path}/w%201`, { currentPage: 'two' }, { token });
    expect(changed).toMatchObject({ status: 200, body: { version: 2, currentPage: 'two' } });
    const listed = await eu1.call('GET', `${path}?limit=1`, undefined, { token });
    expect(listed).toMatchObject({ status: 200, body: { items: [{ id: 'w 1' }], next: null } });
    const here = await us1.call('GET', `${path}/w%201`, undefined, { token });
    expect(here.body).toMatchObject({ version: 2 });

    const requestId = made.headers.get('x-request-id');
    const there = await lineOf(us1, requestId);
    expect(there).toMatchObject({ status: 201, caller: 'pool', pool: 'rafting', remoteAddress: '127.0.0.1' });
    const line = await until(
      () => eu1.lines.find((one) => one.includes(`"cellRequestId":"${requestId}"`)),
      'the line of the cell in between',
    );
    expect(JSON.parse(line)).toMatchObject({ status: 201, cell: 'us1' });
    expect(JSON.parse(line).requestId).not.toBe(requestId);
    for (const { lines } of [eu1, us1]) {
      expect(lines.join('')).not.toContain(token);
      expect(lines.join('')).not.toContain('Lovelace');
    }
  });

  test('that is wrong is refused by its own cell', async () => {
    const token = `wst_us1.${'x'.repeat(43)}`;
    const answer = await cells.eu1.call('GET', '/v1/pools/rafting/waivers', undefined, { token });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    await lineOf(cells.us1, answer.headers.get('x-request-id'));
  });

  test.each([`wst_nobody.${'x'.repeat(43)}`, 'wst_us1.short', `wst_us1.${'x'.repeat(43)}=`, 'wst_us1'])(
    'is none where no cell has that name, or the form is wrong: %s',
    async (token) => {
      const answer = await cells.eu1.call('GET', '/v1/pools/rafting/waivers', undefined, { token });
      expect(answer.status).toBe(401);
      await lineOf(cells.eu1, answer.headers.get('x-request-id'));
    },
  );

  test('of a person opens that cell’s admin API; its console is at its own address', async () => {
    const { eu1, us1 } = cells;
    const { body } = await us1.admin('POST', '/v1/admin/credentials', { name: 'Ada', role: 'owner' });
    const me = await eu1.call('GET', '/v1/admin/me', undefined, { token: body.token });
    expect(me).toMatchObject({ status: 200, body: { name: 'Ada', role: 'owner' } });
    const signIn = await eu1.call('POST', '/console/api/session', { token: body.token }, { token: null });
    expect(signIn).toMatchObject({ status: 421, body: { code: 'other_cell' } });
    expect(signIn.body.message).toContain(us1.url);
  });
});

describe('a pool that has moved', () => {
  let token: string;
  let poolKey: string;

  beforeAll(async () => {
    const { eu1, us1 } = cells;
    ({ token, poolKey } = await preparePool(eu1, 'moved'));
    await movePool(eu1, us1, { pool: 'moved', cell: 'us1' });
  });

  test('is read and written at its former address, by its former keys', async () => {
    const { eu1, us1 } = cells;
    const path = '/v1/pools/moved/waivers';
    expect(await eu1.call('POST', path, waiver('m1'), { token })).toMatchObject({ status: 201 });
    expect(await eu1.call('PATCH', `${path}/m1`, { answers: { height: 180 } }, { token })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await us1.call('GET', `${path}/m1`, undefined, { token })).toMatchObject({ body: { version: 2 } });
    const head = await fetch(`${eu1.url}${path}/m1`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const wrong = await eu1.call('GET', path, undefined, { token: 'wst_wrong' });
    expect(wrong.status).toBe(401);
    const none = await eu1.call('GET', path, undefined, { token: null });
    expect(none.status).toBe(401);
  });

  test('has its feed of changes there, which waits', async () => {
    const { eu1, us1 } = cells;
    const feed = '/v1/pools/moved/changes';
    await us1.call('POST', '/v1/pools/moved/waivers', waiver('m1-later'), { token });
    // Of what was written before, nothing is to come any more: the feed holds back what is newer than any transaction
    // that still runs.
    const first = await until(async () => {
      const read = await eu1.call('GET', feed, undefined, { token });
      return read.body.items.some(({ id }: { id: string }) => id === 'm1-later') && read;
    }, 'the feed to be read to its end');
    const waiting = eu1.call('GET', `${feed}?wait=20&after=${first.body.next}`, undefined, { token });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await us1.call('POST', '/v1/pools/moved/waivers', waiver('m2'), { token });
    expect(await waiting).toMatchObject({ status: 200, body: { items: [{ id: 'm2' }] } });
  });

  test('is gone for people there, who are told where it is', async () => {
    const { eu1 } = cells;
    for (const [method, path, body] of [
      ['GET', '/v1/admin/pools/moved', undefined],
      ['PUT', '/v1/admin/pools/moved', { name: 'again' }],
      ['GET', '/v1/pools/moved/waivers', undefined],
      ['POST', '/v1/pools/moved/waivers', waiver('m3')],
    ] as const) {
      const answer = await eu1.admin(method, path, body);
      expect(answer, path).toMatchObject({ status: 421, body: { code: 'pool_moved' } });
      expect(answer.body.message).toContain(`the cell us1 now, ${cells.us1.url}`);
    }
    await eu1.admin('PUT', '/v1/admin/pools/other', { name: 'other' });
    const viewer = await eu1.admin('POST', '/v1/admin/credentials', {
      name: 'V',
      role: 'viewer',
      pools: ['other'],
    });
    const stranger = await eu1.call('GET', '/v1/admin/pools/moved', undefined, { token: viewer.body.token });
    expect(stranger.status).toBe(403);
  });

  test('gets the calls of its booking system: the app pool key shows where they belong', async () => {
    const { eu1, us1 } = cells;
    const path = '/integration/webhook/standard';
    const notice = { id: 'b-1', pool: 'moved' };
    for (const [url, body, headers] of [
      [path, notice, { 'api-key': poolKey }],
      [`${path}?key=${poolKey}`, notice, {}],
      [path, { ...notice, key: poolKey }, {}],
    ] as const) {
      const answer = await eu1.call('POST', url, body, { token: null, headers });
      expect(answer).toMatchObject({ status: 200, body: { success: true, bookings: [{ id: 'b-1' }] } });
      await lineOf(us1, answer.headers.get('x-request-id'));
    }
    const wrong = await eu1.call('POST', path, notice, { token: null, headers: { 'api-key': 'wsp_wrong' } });
    expect(wrong.status).toBe(401);
    expect(eu1.lines.join('')).not.toContain(poolKey);
    expect(us1.lines.join('')).not.toContain(poolKey);
  });

  test('is installed and uninstalled where it is; the key is checked there', async () => {
    const { eu1, us1 } = cells;
    const key = await installKey(eu1);
    const install = (host: TwoCells['eu1']) =>
      host.call('POST', '/integration/install/standard', { key, pool: 'moved', ...account }, { token: null });
    expect((await install(eu1)).status).toBe(401);
    const added = await us1.admin('POST', '/v1/admin/booking-systems/standard/install-keys', { key });
    expect(added).toMatchObject({ status: 201, body: { key } });
    const installed = await install(eu1);
    expect(installed).toMatchObject({ status: 200, body: { success: true } });
    expect(installed.body.apiKey).toMatch(/^wsp_us1\./);
    expect(installed.body.webhookUrl.startsWith(us1.url)).toBe(true);
    const uninstalled = await eu1.call(
      'POST',
      '/integration/uninstall/standard',
      { key, pool: 'moved', ...account },
      { token: null },
    );
    expect(uninstalled).toMatchObject({ status: 200, body: { success: true } });
    const { body } = await us1.admin('GET', '/v1/admin/pools/moved/installations');
    expect(body.items).toEqual([]);
  });
});

test('an install call finds its pool in whatever cell it is, if the key is known there', async () => {
  const { eu1, us1 } = cells;
  await us1.admin('PUT', '/v1/admin/pools/canyoning', { name: 'canyoning' });
  const key = await installKey(eu1);
  const install = (pool: string) =>
    eu1.call('POST', '/integration/install/standard', { key, pool, ...account }, { token: null });
  // Of the others, one is down: it may have the pool.
  expect(await install('canyoning')).toMatchObject({ status: 503, body: { code: 'cell_unavailable' } });
  await us1.admin('POST', '/v1/admin/booking-systems/standard/install-keys', { key });
  expect(await install('canyoning')).toMatchObject({ status: 200 });
  // Whoever asks all cells needs this one's own answer.
  const nowhere = await us1.call(
    'POST',
    '/integration/install/standard',
    { key, pool: 'nowhere', ...account },
    { token: null, headers: { 'waiver-service-forwarded-by': 'eu1' } },
  );
  expect(nowhere).toMatchObject({ status: 404, body: { code: 'unknown_pool' } });
  const wrong = { key: 'wsi_wrong', pool: 'canyoning', ...account };
  const refused = await eu1.call('POST', '/integration/install/standard', wrong, { token: null });
  expect(refused.status).toBe(401);
  await lineOf(eu1, refused.headers.get('x-request-id'));
});

describe('a request that is sent on', () => {
  const path = '/v1/pools/echoed/waivers';
  const token = `wst_echo.${'x'.repeat(43)}`;
  let former: string;

  beforeAll(async () => {
    ({ token: former } = await preparePool(cells.eu1, 'echoed'));
    await markAsMoved(cells.eu1.databaseUrl, { pool: 'echoed', cell: 'echo' });
  });

  const echoed = async (headers: Record<string, string>, query = '') => {
    const answer = await cells.eu1.call('POST', `${path}${query}`, '{"a": 1.0}', { token: former, headers });
    expect(answer.status).toBe(207);
    const { headers: sent, ...rest }: { headers: IncomingHttpHeaders; url: string; body: string } =
      answer.body;
    return { answer, sent, ...rest };
  };

  test('is the one that came, to the byte', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const { answer, sent, url, body } = await echoed({ traceparent, 'x-own': 'ä' }, '?a=%2F%20&b');
    expect(url).toBe(`/base${path}?a=%2F%20&b`);
    expect(body).toBe('{"a": 1.0}');
    expect(sent).toMatchObject({
      authorization: `Bearer ${former}`,
      'content-type': 'application/json',
      traceparent,
      'waiver-service-forwarded-by': 'eu1',
    });
    expect(answer.headers.get('x-request-id')).toBe('id-at-the-other-cell');
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('has the client’s address, and nothing else of what the client said of itself', async () => {
    const { sent } = await echoed({
      'x-forwarded-for': '198.51.100.1, 203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '198.51.100.1',
      forwarded: 'for=198.51.100.1',
      cookie: 'waiver_service_session=wss_secret',
    });
    expect(sent['x-forwarded-for']).toBe('203.0.113.7');
    for (const name of ['x-forwarded-host', 'x-real-ip', 'forwarded', 'cookie'])
      expect(sent[name]).toBeUndefined();
  });

  test('keeps what its connection says of itself', async () => {
    const head = [
      `POST http://elsewhere.example${path} HTTP/1.1`,
      'host: a',
      `authorization: Bearer ${former}`,
      'x-secret: of this connection',
      'connection: close, x-secret',
      'content-type: application/json',
      'transfer-encoding: chunked',
    ];
    const answer = await rawCall(cells.eu1.url, `${head.join('\r\n')}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
    expect(answer.status).toBe(207);
    const { headers, url, body } = JSON.parse(answer.body);
    expect([url, body]).toEqual([`/base${path}`, '{}']);
    expect(headers['x-secret']).toBeUndefined();
    expect(headers['content-length']).toBe('2');
  });

  test('is so no more often than three times, and never to a cell that has sent it here', async () => {
    const send = (by: string, bearer = former) =>
      cells.eu1.call('GET', path, undefined, {
        token: bearer,
        headers: { 'waiver-service-forwarded-by': by },
      });
    expect((await send('a, b')).body.headers['waiver-service-forwarded-by']).toBe('a, b, eu1');
    for (const by of ['a,b,c', ',,', 'echo', 'a, echo']) {
      const answer = await send(by);
      expect(answer, by).toMatchObject({ status: 508, body: { code: 'cell_loop' } });
      // A pool that moves back may cause it for an instant.
      expect(answer.headers.get('retry-after'), by).toBe('5');
    }
    expect(await send('a,b,c,d', token)).toMatchObject({ status: 508 });
    await preparePool(cells.eu1, 'stays');
    const known = await cells.eu1.call('GET', '/v1/pools/stays/waivers', undefined, {
      token: `wst_echo.${'x'.repeat(43)}`,
      headers: { 'waiver-service-forwarded-by': 'echo' },
    });
    expect(known.status).toBe(401);
  });

  test('has a body up to the limit of its route, and none beyond', async () => {
    const bodyOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
    const limit = 256 * 1024;
    const send = (bytes: number) => cells.eu1.call('POST', path, bodyOf(bytes), { token: former });
    expect((await send(limit)).body.body.length).toBe(limit);
    expect(await send(limit + 1)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${former}\r\ncontent-type: application/json\r\n`;
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    const chunked = await rawCall(
      cells.eu1.url,
      `${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(5)}0\r\n\r\n`,
    );
    expect(chunked.status).toBe(413);
  });
});

test('a key that was revoked where its pool is now is wrong there, whatever cell has created it', async () => {
  const { eu1, us1 } = cells;
  const { token, poolKey } = await preparePool(eu1, 'revoked');
  await movePool(eu1, us1, { pool: 'revoked', cell: 'us1' });
  const tokens = '/v1/admin/pools/revoked/access-tokens';
  const { body } = await us1.admin('GET', tokens);
  await us1.admin('DELETE', `${tokens}/${body.items[0].id}`);
  await us1.admin('DELETE', '/v1/admin/pools/revoked/installations/standard');
  for (const host of [us1, eu1]) {
    const read = await host.call('GET', '/v1/pools/revoked/waivers', undefined, { token });
    expect(read).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const headers = { 'api-key': poolKey };
    const notice = { id: 'b-1', pool: 'revoked' };
    const called = await host.call('POST', '/integration/webhook/standard', notice, { token: null, headers });
    expect(called).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  }
});

describe('no fault of the service is', () => {
  afterEach(() => {
    expect(cells.eu1.lines.filter((line) => line.includes('"request failed"'))).toEqual([]);
  });

  test('a pool whose id no pool can have', async () => {
    const { eu1 } = cells;
    for (const pool of ['%00', 'x'.repeat(129)]) {
      const path = `/v1/pools/${pool}/waivers`;
      const read = await eu1.call('GET', path, undefined, { token: `wst_us1.${'x'.repeat(43)}` });
      expect(read.status).toBe(401);
      expect((await eu1.admin('GET', path)).status).toBe(400);
    }
    const body = { key: 'wsi_wrong', pool: '\u0000', ...account };
    const install = await eu1.call('POST', '/integration/install/standard', body, { token: null });
    expect(install.status).toBe(401);
  });

  test('a caller who hangs up before the body has come', async () => {
    const { eu1 } = cells;
    const { hostname, port } = new URL(eu1.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `POST /v1/pools/hangs-up/waivers HTTP/1.1\r\nhost: a\r\nauthorization: Bearer wst_us1.${'x'.repeat(43)}\r\ncontent-length: 9\r\n\r\n{`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    // No line says that a request ended whose connection is gone.
    await new Promise((resolve) => setTimeout(resolve, 100));
  });

  test('another cell’s answer that cannot be passed on', async () => {
    const { eu1 } = cells;
    const { token } = await preparePool(eu1, 'garbage');
    await markAsMoved(eu1.databaseUrl, { pool: 'garbage', cell: 'echo' });
    const odd = await eu1.call('GET', '/v1/pools/garbage/waivers?status', undefined, { token });
    expect(odd).toMatchObject({ status: 503, body: { code: 'cell_unavailable' } });
    const header = await eu1.call('GET', '/v1/pools/garbage/waivers', undefined, { token });
    expect(header.status).toBe(200);
    expect([header.headers.get('x-even'), header.headers.get('x-odd')]).toEqual(['1', 'ÿ']);
  });
});

test('while the other cell is down, the answer says to come back', async () => {
  const { eu1 } = cells;
  const token = `wst_gone.${'x'.repeat(43)}`;
  const answer = await eu1.call('POST', '/v1/pools/rafting/waivers', waiver('g1'), { token });
  expect(answer).toMatchObject({ status: 503, body: { code: 'cell_unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(eu1.lines.join('')).toContain('"cell":"gone","errorCode":"connection_refused"');
  expect(eu1.lines.join('')).not.toContain(token);
  await preparePool(eu1, 'nowhere');
  await markAsMoved(eu1.databaseUrl, { pool: 'nowhere', cell: 'unnamed' });
  const callNowhere = () => eu1.call('GET', '/v1/pools/nowhere/waivers', undefined, { token: 'wst_any' });
  await expect.poll(callNowhere).toMatchObject({ status: 503, body: { code: 'cell_unavailable' } });
});

test.each(['silent', 'endless'])(
  'when the caller hangs up, the other cell’s answer is %s no more',
  async (kind) => {
    const { token } = await preparePool(cells.eu1, kind);
    await markAsMoved(cells.eu1.databaseUrl, { pool: kind, cell: 'echo' });
    // Not by fetch, which connects again after it has hung up.
    const calling = get(`${cells.eu1.url}/v1/pools/${kind}/changes?wait=30`, {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    });
    calling.on('error', () => {});
    await until(() => echo.unanswered.has(kind), 'the request at the other cell');
    calling.destroy();
    await until(() => !echo.unanswered.has(kind), 'the end of the request there');
  },
);

test('a call that was let in before its pool left is to be sent again, not refused', async () => {
  // A host has the token in its cache for a second, unless it hears of something else in between.
  for (const pool of ['late-1', 'late-2', 'late-3', 'late-4', 'late-5']) {
    const { token } = await preparePool(cells.eu1, pool);
    const path = `/v1/pools/${pool}/waivers`;
    await delay(500);
    expect((await cells.eu1.call('POST', path, waiver(pool), { token })).status).toBe(201);
    await leaveUnheard(cells.eu1.databaseUrl, { pool, cell: 'us1' });
    const refused = await cells.eu1.call('POST', path, waiver(`${pool}-again`), { token });
    // Sent on, to where nobody knows it.
    if (refused.status === 401) continue;
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'pool_moving',
      '5',
    ]);
    return;
  }
  expect.fail('the token was never in the cache');
});

test.each(['install', 'uninstall'])(
  'an %s that was let in before its pool left is to be sent again, not refused',
  async (action) => {
    const { eu1 } = cells;
    const pool = `late-${action}`;
    await eu1.admin('PUT', `/v1/admin/pools/${pool}`, { name: 'late' });
    const body = { key: await installKey(eu1), pool, ...account };
    const call = (path: string) => eu1.call('POST', `/integration/${path}/standard`, body, { token: null });
    if (action === 'uninstall') expect((await call('install')).status).toBe(200);
    let calling: ReturnType<typeof call> | undefined;
    await leaveWhileAwaited(eu1.databaseUrl, { pool, cell: 'us1' }, () => {
      calling = call(action);
    });
    const answer = await calling;
    expect([answer?.status, answer?.body.code, answer?.headers.get('retry-after')]).toEqual([
      503,
      'pool_moving',
      '5',
    ]);
  },
);

test('what is not found of a pool that may be in the other cell already is to be asked for again', async () => {
  const { token } = await preparePool(cells.eu1, 'copied');
  const path = '/v1/pools/copied/waivers';
  expect((await cells.eu1.call('POST', path, waiver('copied-1'), { token })).status).toBe(201);
  await beginCopying(cells.eu1.databaseUrl, { pool: 'copied', cell: 'us1' });

  // Signed in the other cell meanwhile, as far as this one can tell.
  const read = await cells.eu1.call('GET', `${path}/copied-2`, undefined, { token });
  const change = await cells.eu1.call('PATCH', `${path}/copied-2`, { currentPage: 'last' }, { token });

  expect([read.status, read.body.code]).toEqual([503, 'pool_moving']);
  expect([change.status, change.body.code]).toEqual([503, 'pool_moving']);
  expect((await cells.eu1.call('GET', `${path}/copied-1`, undefined, { token })).status).toBe(200);
});

test.each([
  ['what is not found is to be asked for again', 'GET', '/unsure-1', undefined, 503, 'database_unavailable'],
  ['a malformed request stays one', 'POST', '', { answers: 'none' }, 400, 'malformed'],
])(
  'where the database breaks off before it says whether a pool is in the other cell: %s',
  async (_title, method, path, body, status, code) => {
    const pool = `unsure-${status}`;
    const { token } = await preparePool(cells.eu1, pool);
    const waivers = `/v1/pools/${pool}/waivers`;
    // From now on the host has the token in its cache, for a second.
    await delay(500);
    expect((await cells.eu1.call('GET', waivers, undefined, { token })).status).toBe(200);
    const lock = await lockMovedPools(cells.eu1.databaseUrl);
    const asking = cells.eu1.call(method, `${waivers}${path}`, body, { token });
    // A test that fails here shows its own error.
    asking.catch(() => {});
    await lock.untilBlocked().finally(() => lock.release());
    const answer = await asking;
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  },
);
