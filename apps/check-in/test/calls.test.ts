import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, json } from '../src/host/calls.ts';

let server: Server;
let requests: number;

// Answers with its headers and the beginning of a body, and no more.
beforeEach(async () => {
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    if (request.url?.endsWith('/empty')) response.writeHead(204).end();
    else if (request.url?.endsWith('/busy')) response.writeHead(429, { 'retry-after': '7' }).end('{}');
    else response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, request: RequestInit) =>
    send(`http://127.0.0.1:${address.port}${path}`, request),
  );
});
afterEach(async () => {
  vi.unstubAllGlobals();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const offline = expect.objectContaining({ code: 'offline' });
const limit = { timeout: 60_000 };

test(
  'an answer that stalls after its headers is none, once the guest has waited long enough',
  limit,
  async () => {
    await expect(call('/stalls', { timeoutMs: 200 }).then(json)).rejects.toEqual(offline);
  },
);

test(
  'a caller ends a call while its answer is read, and sends none that has ended before',
  limit,
  async () => {
    const abort = new AbortController();
    const stalled = call('/stalls', { signal: abort.signal }).then(json);
    const ended = expect(stalled).rejects.toEqual(offline);
    await expect.poll(() => requests).toBe(1);
    abort.abort();
    await ended;
    await expect(call('/stalls', { signal: abort.signal })).rejects.toEqual(offline);
    expect(requests).toBe(1);
  },
);

test('an answer without a body is one', async () => {
  expect((await call('/empty', {})).status).toBe(204);
});

test('one that is refused as one too many says when to call again', limit, async () => {
  const refused = expect.objectContaining({ code: 'too_many_requests', retryAfterMs: 7_000 });
  await expect(call('/busy', {})).rejects.toEqual(refused);
});
