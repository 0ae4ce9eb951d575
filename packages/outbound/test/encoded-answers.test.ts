import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { openWayOut } from './loopback-servers.ts';

const maxResponseBytes = 100_000;
let answer: { status?: number; headers: Record<string, string>; body: Buffer };

const { outbound, url } = await openWayOut(
  (request, response) => {
    request.resume();
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  },
  { maxResponseBytes },
);
const exchanges: Exchange[] = [];
const client = () =>
  outbound.prepareHttp({ baseUrl: url, headers: {}, peer: 'Acme' })({
    signal: new AbortController().signal,
    onExchange: (exchange) => exchanges.push(exchange),
  }).http;
const get = async (contentType: string, body: Buffer, headers: Record<string, string> = {}) => {
  answer = { headers: { 'content-type': contentType, ...headers }, body };
  return (await client().get('x')).data;
};

const booking = { name: 'Jürgen', note: '€ 5' };
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

describe('a declared charset', () => {
  test.each([
    ['application/json; charset=ISO-8859-1', Buffer.from('{"name":"Jürgen"}', 'latin1'), { name: 'Jürgen' }],
    [
      'application/json;charset="windows-1252"',
      Buffer.from('{"name":"\x80 Jürgen"}', 'latin1'),
      { name: '€ Jürgen' },
    ],
    [
      'application/json; charset=windows-1251',
      Buffer.from('7b226e616d65223a22c0edede0227d', 'hex'),
      { name: 'Анна' },
    ],
    [
      'application/json; Charset=Shift_JIS',
      Buffer.from('7b226e616d65223a2283418369227d', 'hex'),
      { name: 'アナ' },
    ],
    ['application/json; charset=utf-16le', utf16(JSON.stringify(booking)), booking],
    ['application/json; charset=utf-16be', utf16(JSON.stringify(booking), true), booking],
    ['application/json; charset=utf-8', Buffer.from(JSON.stringify(booking)), booking],
    ['application/json', Buffer.from(JSON.stringify(booking)), booking],
    ['application/json', Buffer.from(`\uFEFF${JSON.stringify(booking)}`), booking],
    ['application/json', utf16(`\uFEFF${JSON.stringify(booking)}`), booking],
    ['application/json', utf16(`\uFEFF${JSON.stringify(booking)}`, true), booking],
    // A server's default that nobody meant: JSON is UTF-8, and what is valid UTF-8 is hardly ever meant otherwise.
    ['application/json; charset=ISO-8859-1', Buffer.from(JSON.stringify(booking)), booking],
    ['application/json; charset=klingon', Buffer.from('{"name":"Ann"}'), { name: 'Ann' }],
  ])('is decoded: %s', async (contentType, body, expected) => {
    expect(await get(contentType, body)).toEqual(expected);
  });

  test('that is not known is refused in a sentence, where more than ASCII came', async () => {
    await expect(
      get('application/json; charset=klingon', Buffer.from('{"name":"Jürgen"}')),
    ).rejects.toMatchObject({
      code: 'invalid_booking_response',
      message: expect.stringMatching(
        /^Acme \(.*\) answered in the charset "klingon", which is not known here: .*UTF-8/,
      ),
    });
  });

  test('is used for what is shown and for a library, too', async () => {
    await get('text/plain; charset=latin1', Buffer.from('für später', 'latin1'));
    expect(exchanges.at(-1)?.excerpt).toBe('für später');
    const response = await outbound.fetch(url, { method: 'GET', headers: {} });
    expect(await response.text()).toBe('für später');
    const posted = await outbound.endpoint({ url: url, headers: {} }).post({ body: '{}' });
    expect(posted.excerpt).toBe('für später');
  });

  test('any text comes through every charset that has its characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), async (text, isBigEndian) => {
        const charset = isBigEndian ? 'utf-16be' : 'utf-16le';
        const body = utf16(JSON.stringify({ text }), isBigEndian);
        expect(await get(`application/json; charset=${charset}`, body)).toEqual({ text });
      }),
      { numRuns: 50 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)) }),
        async (text) => {
          const body = Buffer.from(JSON.stringify({ text }), 'latin1');
          const isAlsoUtf8 = !body.toString().includes('\uFFFD');
          fc.pre(!isAlsoUtf8 || /^[\0-\x7f]*$/.test(text));
          expect(await get('application/json; charset=iso-8859-1', body)).toEqual({ text });
        },
      ),
      { numRuns: 50 },
    );
  });
});

test('what was read with characters that could not be decoded is not written back, which would lose them', async () => {
  answer = { headers: {}, body: Buffer.from('{"note":"für später"}', 'latin1') };
  const http = client();
  const { note } = (await http.get('note')).data;
  expect(note).toBe('f\uFFFDr sp\uFFFDter');
  const calls = exchanges.length;
  await expect(http.put('note', { note: `${note}\nSigned` })).rejects.toThrow(
    /^nothing was written: .*UTF-8/,
  );
  expect(exchanges).toHaveLength(calls);
  expect((await http.put('note', { note: 'Signed' })).status).toBe(200);
  // A guest may have written it, and a booking system may hold it.
  expect((await client().put('note', { note })).status).toBe(200);
});

describe('an answer that is compressed although nothing compressed was asked for', () => {
  const text = JSON.stringify(booking);
  test.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
  ])('is unpacked: %s', async (encoding, body) => {
    expect(await get('application/json', body, { 'content-encoding': encoding })).toEqual(booking);
    const response = await outbound.fetch(url, { method: 'GET', headers: {} });
    expect(await response.json()).toEqual(booking);
  });

  test('is unpacked before its charset is decoded', async () => {
    const body = gzipSync(Buffer.from('{"name":"Jürgen"}', 'latin1'));
    const data = await get('application/json; charset=latin1', body, { 'content-encoding': 'gzip' });
    expect(data).toEqual({ name: 'Jürgen' });
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(maxResponseBytes + 1, 32))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
  ])('may not unpack to more than may be read: %s', async (encoding, body) => {
    await expect(get('application/json', body, { 'content-encoding': encoding })).rejects.toMatchObject({
      outboundErrorCode: 'response_too_large',
    });
  });

  test.each([
    ['zstd', Buffer.from('x'), 'answered compressed ("zstd"), although nothing compressed was asked for'],
    ['gzip', Buffer.from('{}'), 'answered compressed ("gzip"), and it cannot be unpacked'],
    ['gzip', gzipSync(text).subarray(0, 20), 'answered compressed ("gzip"), and it cannot be unpacked'],
  ])('is refused in a sentence where it cannot be read: %s', async (encoding, body, sentence) => {
    await expect(get('application/json', body, { 'content-encoding': encoding })).rejects.toMatchObject({
      code: 'invalid_booking_response',
      message: expect.stringContaining(sentence),
    });
  });

  test('leaves a failure’s status and a receiver’s 2xx what they are', async () => {
    answer = { status: 404, headers: { 'content-encoding': 'zstd' }, body: Buffer.from('x') };
    expect((await client().get('x')).status).toBe(404);
    answer = {
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync('x'.repeat(2 * maxResponseBytes)).subarray(0, 50),
    };
    const endpoint = outbound.endpoint({ url: url, headers: {} });
    expect((await endpoint.post({ body: '{}' })).status).toBe(200);
    answer = { headers: { 'content-encoding': 'gzip' }, body: gzipSync('thanks') };
    expect((await endpoint.post({ body: '{}' })).excerpt).toBe('thanks');
  });
});
