import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../src/app/create-app.ts';
import { nothingElse } from './nothing-else.ts';

async function addressSeen(trustProxy: false | number | string[], forwarded: string): Promise<string> {
  const proxied = createApp({
    logger: pino({ level: 'silent' }),
    trustProxy,
    ...nothingElse,
  });
  proxied.get('/ip', { config: { access: 'public' } }, async (request) => ({ ip: request.ip }));
  const answer = await proxied.inject({ url: '/ip', headers: { 'x-forwarded-for': forwarded } });
  return answer.json().ip;
}

test('the address behind a trusted proxy counts, a made-up one does not', async () => {
  expect(await addressSeen(false, '203.0.113.7')).toBe('127.0.0.1');
  expect(await addressSeen(1, '198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
  expect(await addressSeen(['127.0.0.0/8'], '203.0.113.7')).toBe('203.0.113.7');
});

test.each([
  ['203.0.113.7:5678', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['198.51.100.1:1,203.0.113.7:65535', '203.0.113.7'],
])('a forwarded address counts without its port: %s is %s', async (forwarded, address) => {
  expect(await addressSeen(1, forwarded)).toBe(address);
});

test('a trusted proxy that is named with its port is still one', async () => {
  const proxies = ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'];
  const forwarded = '198.51.100.1, 203.0.113.7:5678, [fd00::2]:9, 10.0.0.2:443';
  expect(await addressSeen(proxies, forwarded)).toBe('203.0.113.7');
});
