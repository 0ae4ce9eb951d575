import { once } from 'node:events';
import { connect } from 'node:net';
import {
  adminToken,
  type DocumentedOperation,
  documentedOperations,
  filledPath,
  isLong,
  type RawAnswer,
  rawCall,
  until,
} from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FurnishedProgram, startFurnishedProgram } from '../harness/program.ts';

/** Where a vendor, an issuer or a mail sends a person's browser, which gets a page. */
const answersPages = /\/integration\/authorize\/|\/console\/sign-in\/callback|\/unsubscribe\//;

/** Checks that a response is documented, is no 500, and is a problem of ours if it refuses. */
function expectDocumented(sent: string, { status, head, body }: RawAnswer): void {
  const shown = `${sent.slice(0, 160)} -> ${head.slice(0, 200)} ${body.slice(0, 200)}`;
  expect(status, shown).toBeDefined();
  if (status === undefined || status < 400) return;
  expect(status, shown).toBeLessThan(500);
  if (answersPages.test(sent) && /content-type: text\/html/i.test(head)) return;
  expect(head, shown).toMatch(/content-type: application\/json/i);
  if (sent.startsWith('HEAD ')) return;
  expect(JSON.parse(body), shown).toMatchObject({
    success: false,
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/./),
  });
}

/** A request's start and headers, its body, and whether it breaks off there. */
type RawRequest = readonly [start: string, body: string, isBrokenOff?: boolean];

/** Makes these requests, a few at a time, and checks that each response is a documented one. */
async function sendRaw(url: string, requests: readonly RawRequest[]): Promise<void> {
  const left = [...requests];
  const worker = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [start, body, isBrokenOff = false] = next;
      const bytes = Buffer.from(start + body, 'latin1');
      const answer = await rawCall(url, bytes, { halfClose: isBrokenOff }).catch((error: unknown) => {
        throw new Error(`of ${start.slice(0, 300)}`, { cause: error });
      });
      // Who breaks off may be left without an answer.
      if (!isBrokenOff || answer.status !== undefined) expectDocumented(start, answer);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

let furnished: FurnishedProgram;
let url: string;
let operations: DocumentedOperation[];
// Queries, headers and methods are read alike on every route: `npm test` tries every eighth.
let some: DocumentedOperation[];
beforeAll(async () => {
  furnished = await startFurnishedProgram();
  ({ url } = furnished.program);
  operations = await documentedOperations(url);
  some = operations.filter((_, place) => isLong || place % 8 === 0);
});
afterAll(async () => {
  expect((await furnished.program.call('GET', '/readyz')).status).toBe(200);
  await furnished.close();
});

const good = (path: string, value = 'x') =>
  filledPath(path, { pool: 'p', bookingSystem: 'standard', other: value });
const authorized = `Host: x\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\n`;
const json = 'Content-Type: application/json\r\n';

const sendAll = (requests: readonly RawRequest[]) => sendRaw(url, requests);

// The long form sends some 20,000 requests.
describe.concurrent('on the routes', { timeout: 1_800_000 }, () => {
  const values = [
    ...[
      '%',
      '%z1',
      '%00',
      '%C0%AF',
      '%ED%A0%80',
      '%FF',
      '%F0%9F%8E%9F',
      '\xff\xfe',
      '\x01',
      '..',
      '%2e%2e',
      '.',
    ],
    ...[
      '%2F',
      '%5C',
      '__proto__',
      'constructor',
      '%20',
      '{id}',
      "'--",
      '%0d%0aX:%20y',
      'x'.repeat(4_000),
      '%25',
    ],
  ];
  test('hostile values in the path', async () => {
    // Every route has some of the values, in turn; the long form tries all.
    const paths = operations.flatMap(({ method, path }, place) =>
      values
        .filter((_, turn) => isLong || (place + turn) % 8 === 0)
        .flatMap((value) => [
          `${method} ${good(path, value)}`,
          `${method} ${filledPath(path, { pool: value, bookingSystem: value, other: 'x' })}`,
        ]),
    );
    await sendAll(
      paths.map((path) => [`${path} HTTP/1.1\r\n${authorized}${json}Content-Length: 2\r\n\r\n`, '{}']),
    );
  });

  const queries = [
    ...[
      '?limit=1&limit=2',
      '?cursor=%00',
      '?cursor=eyJ9',
      '?limit=1e9',
      '?limit=-1',
      '?limit=NaN',
      '?limit=',
    ],
    ...[
      '?bookingId[]=1&bookingId[a]=2',
      '?since=x&until=0',
      '?updatedSince=-271821-04-20T00:00:00Z',
      '?state=\xff',
    ],
    ...[
      '?__proto__=1',
      '?__proto__[x]=1',
      '?%ff=%ff',
      '?%',
      '?&&&===',
      '?bookingSystem=a&bookingSystem=b',
      '?key=a&key=b',
    ],
    ...[
      '?pool=%ED%A0%80',
      '?waiverId=%00&destination=%00',
      `?${'a=1&'.repeat(1_500)}`,
      '#fragment',
      '?#',
      ';a=b',
    ],
  ];
  test('hostile queries', async () => {
    const paths = some.flatMap(({ method, path }) =>
      queries.map((query) => `${method} ${good(path)}${query}`),
    );
    await sendAll(
      paths.map((path) => [`${path} HTTP/1.1\r\n${authorized}${json}Content-Length: 2\r\n\r\n`, '{}']),
    );
  });

  const bodies: readonly RawRequest[] = [
    [`${json}Content-Length: 100\r\n`, '{"a":', true],
    [`${json}Content-Length: 10000000\r\n`, 'x'.repeat(300_000)],
    [`${json}Content-Length: -1\r\n`, '{}'],
    [`${json}Content-Length: 2\r\nContent-Length: 3\r\n`, '{}'],
    [`${json}Content-Length: 99999999999999999999\r\n`, '{}'],
    [`${json}Transfer-Encoding: chunked\r\n`, 'zz\r\n{}\r\n0\r\n\r\n'],
    [`${json}Transfer-Encoding: chunked\r\n`, 'ffffffffffffffffff\r\n{}'],
    [`${json}Transfer-Encoding: chunked\r\n`, '2\r\n{', true],
    [`${json}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n`, '0\r\n\r\n'],
    [`${json}Transfer-Encoding: gzip\r\n`, '{}'],
    [`${json}Content-Encoding: gzip\r\nContent-Length: 2\r\n`, '{}'],
    ['Content-Length: 2\r\n', '{}'],
    ['Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}'],
    ['Content-Type: \r\nContent-Length: 2\r\n', '{}'],
    ['Content-Type: application/json; charset=utf-16\r\nContent-Length: 2\r\n', '{}'],
    ['Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 2\r\n', '{}'],
    [`${json}Expect: 100-continue\r\nContent-Length: 2\r\n`, '{}'],
    [`${json}Expect: a-miracle\r\nContent-Length: 2\r\n`, '{}'],
    [`${json}Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n`, '{}'],
    [`X: ${'x'.repeat(20_000)}\r\n`, ''],
    [`${'X: y\r\n'.repeat(3_000)}`, ''],
    ['X: a\r\n folded\r\n', ''],
    ['X: a\0b\r\n', ''],
    [': no name\r\n', ''],
    ['Authorization: Bearer second\r\n', ''],
  ];
  test('hostile headers and framing', async () => {
    await sendAll(
      some.flatMap(({ method, path }) =>
        bodies.map<RawRequest>(([headers, body, isBrokenOff]) => [
          `${method} ${good(path)} HTTP/1.1\r\n${authorized}${headers}\r\n`,
          body,
          isBrokenOff,
        ]),
      ),
    );
  });

  test('other methods, other forms of an address, other versions', async () => {
    const methods = [
      'HEAD',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'PURGE',
      'M-SEARCH',
      'QUERY',
      'BREW',
      'get',
      'DELETE',
      'PATCH',
      'PUT',
    ];
    const starts = some.flatMap(({ method, path }) => [
      ...methods.map((other) => `${other} ${good(path)} HTTP/1.1`),
      `${method} http://elsewhere.example${good(path)} HTTP/1.1`,
      `${method} //elsewhere.example${good(path)} HTTP/1.1`,
      `${method} ${good(path)} HTTP/1.0`,
      `${method} ${good(path)} HTTP/9.9`,
      `${method} ${good(path).slice(1)} HTTP/1.1`,
      `${method} ${good(path)}`,
      `CONNECT ${good(path)} HTTP/1.1`,
    ]);
    await sendAll(starts.map((start) => [`${start}\r\n${authorized}\r\n`, '']));
  });
});

test.concurrent('garbage on a connection', async () => {
  await sendAll([
    ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', ''],
    ['GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', ''],
    ['CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', ''],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', ''],
    ['GET /\xff\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', ''],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ''],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', ''],
    ['SSH-2.0-x\r\n\r\n', ''],
    ['\0\0\0\0\r\n\r\n', ''],
    ['\r\n\r\n\r\n\r\nx\r\n\r\n', ''],
    ['x'.repeat(70_000), ''],
    [`GET /${'x'.repeat(70_000)}`, ''],
    ['GET', '', true],
  ]);
});

test.concurrent('a body that breaks off after its request was answered brings no second response', async () => {
  const head =
    'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const received: string[] = [];
  socket.setEncoding('latin1').on('data', (part: string) => received.push(part));
  socket.write(head);
  await until(() => received.join('').includes('\r\n\r\n{'), 'the response');
  socket.end();
  await once(socket, 'close');
  expect(received.join('').match(/HTTP\/1\.1 /g)).toHaveLength(1);
});
