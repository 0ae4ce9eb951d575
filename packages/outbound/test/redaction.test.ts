import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf } from '../src/exchange.ts';
import { createSecretRedactor, redactUrl } from '../src/index.ts';

describe('redactUrl', () => {
  test.each([
    ['https://a.example/x?key=s3cr3t&id=4', 'https://a.example/x?key=redacted&id=4'],
    [
      'https://a.example/x?api-key=s&apiKey=s&apikey=s',
      'https://a.example/x?api-key=redacted&apiKey=redacted&apikey=redacted',
    ],
    [
      'https://a.example/x?access_token=s&X-Amz-Signature=s',
      'https://a.example/x?access_token=redacted&X-Amz-Signature=redacted',
    ],
    ['https://a.example/?%6bey=s', 'https://a.example/?%6bey=redacted'],
    ['https://a.example/?%zz=s&token=s', 'https://a.example/?%zz=s&token=redacted'],
    ['https://user:word@a.example/x', 'https://a.example/x'],
    ['https://us@er:wo@rd@a.example/x', 'https://a.example/x'],
    ['https://a.example/x#token=s', 'https://a.example/x'],
    ['not a url?secret=s', 'not a url?secret=redacted'],
    ['https://a.example/bookings?id=7&pool=p1', 'https://a.example/bookings?id=7&pool=p1'],
  ])('%s becomes %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown);
  });
});

describe('a response that echoes a secret', () => {
  const secret = 'k3y/with"quotes+more';
  const redactor = createSecretRedactor({ 'api-key': secret });

  test.each([secret, JSON.stringify({ key: secret }), `?key=${encodeURIComponent(secret)}`])(
    'shows «redacted» for %s',
    (text) => {
      expect(redactor.redact(text)).toContain('«redacted»');
      expect(redactor.redact(text)).not.toContain('quotes');
    },
  );

  test.each([
    ['PHP', JSON.stringify({ key: 'a/b+c==' }).replaceAll('/', '\\/')],
    ['Gson', '{"key":"a/b+c\\u003d\\u003d"}'],
    ['.NET', '{"key":"a/b\\u002Bc=="}'],
    ['a URL in lower case', '?key=a%2fb%2bc%3d%3d'],
  ])('shows none as %s escapes it', (_library, text) => {
    expect(createSecretRedactor({ 'x-sig': 'a/b+c==' }).redact(text)).not.toMatch(/a\W|c[=%\\]/);
  });

  test('shows no user and no password that HTTP Basic carried, encoded as in a form or not', () => {
    const credentials = Buffer.from('client+one:s3cret%2Fkey:%').toString('base64');
    const secrets = createSecretRedactor({ Authorization: `Basic ${credentials}` });
    expect(secrets.redact('client one, client+one, s3cret%2Fkey:%')).not.toMatch(/client|s3cret/);
    const encoded = Buffer.from('client:s3cret%2Fkey').toString('base64');
    expect(createSecretRedactor({ Authorization: `Basic ${encoded}` }).redact('s3cret/key')).toBe(
      '«redacted»',
    );
  });

  test('is not shown in halves where a message shortens what it quotes', () => {
    const token = 'abcdefghijklmnopqrstuvwxyz'.repeat(9);
    const { length } = token;
    const secrets = createSecretRedactor({ Authorization: `Bearer ${token}` });
    for (const end of [4, 80, length - 1]) {
      const message = `the status is "${token.slice(0, end)}…", the name "Bearer ${token.slice(0, end)}…" and so on`;
      expect(secrets.redact(message)).toBe('the status is "«redacted»…", the name "«redacted»…" and so on');
    }
    expect(secrets.redact('one… two… abc…')).toBe('one… two… abc…');
  });

  test('in data is replaced only as a whole, and if it is too long to be a word', () => {
    const secrets = createSecretRedactor({ 'x-key': 'sixteen-letters!', 'x-word': 'Confirmation' });
    expect(secrets.redactData('(sixteen-letters!)')).toBe('(«redacted»)');
    for (const text of ['a word, Confirmation', 'a text that ends in sixt']) {
      expect(secrets.redactData(text)).toBe(text);
    }
  });

  test('shows neither a Bearer token nor either half of Basic credentials', () => {
    const basic = `Basic ${Buffer.from('the-user:the-password').toString('base64')}`;
    const secrets = createSecretRedactor({ Authorization: basic, 'X-Other': 'Bearer the-token-1' });
    const shown = secrets.redact(`${basic} the-user the-password the-token-1`);
    expect(shown).not.toMatch(/the-user|the-password|the-token|dGhl/);
  });

  test('leaves anything else readable', () => {
    const secrets = createSecretRedactor({ 'Content-Type': 'application/json', 'Octo-Env': 'live' });
    expect(secrets.redact('live application/json')).toBe('live application/json');
  });

  test('never shows the beginning of it if the response was truncated, in any encoding', () => {
    const secret = 'schlüssel "4711"/größe';
    const reader = createSecretRedactor({ 'api-key': secret });
    for (const spelled of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      for (let length = 4; length < spelled.length; length += 1) {
        const body = Buffer.from(`the key ${spelled.slice(0, length)}`);
        expect(excerptOf(body, reader)).toBe('the key «redacted»');
      }
    }
    expect(excerptOf(Buffer.from('a sch'), reader)).toBe('a sch');
  });

  test('never shows a part of it, wherever the 4 KiB limit cuts it', () => {
    const key = 'abcdefghijklmnopqrstuvwxyz0123456789';
    const reader = createSecretRedactor({ 'api-key': key });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4200 }), fc.integer({ min: 0, max: 200 }), (before, after) => {
        const body = Buffer.from(`${key}${'.'.repeat(before)}${key}${key}${'.'.repeat(after)}`);
        const shown = excerptOf(body, reader);
        const parts = Array.from({ length: key.length - 3 }, (_, at) => key.slice(at, at + 4));
        expect(parts.filter((part) => shown.includes(part))).toEqual([]);
      }),
    );
  });
});

test('a file that a response repeats is left out of its excerpt', () => {
  const pdf = Buffer.from(`%PDF-1.7 ${'signed by Zoë ÿ?~ '.repeat(400)}`).toString('base64');
  const uri = `data:application/pdf;base64,${pdf}`;
  const reader = createSecretRedactor({});
  for (const body of [uri, uri.replaceAll('/', '\\/'), pdf, `${uri.slice(0, 60)}`])
    expect(excerptOf(Buffer.from(`{"waiverFile":"${body}"}`), reader)).toMatch(
      /^\{"waiverFile":"«file»("\})?$/,
    );
  expect(excerptOf(Buffer.from('data: 7; base64, no'), reader)).toBe('data: 7; base64, no');
});
