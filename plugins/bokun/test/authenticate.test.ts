import { expect, test } from 'vitest';
import { isSigned } from '../simulator/index.ts';
import { authenticate } from '../src/authenticate.ts';

// Bókun's documented example: its keys, time, request and signature.
const keys = {
  accessKey: 'de235a6a15c340b6b1e1cb5f3687d04a',
  secretKey: '23e2c7da7f7048e5b46f96bc91324800',
};
const request = {
  method: 'POST',
  url: new URL('https://api.bokun.io/activity.json/search?lang=EN&currency=ISK'),
  now: new Date('2013-11-09T14:33:46.789Z'),
} as const;
const signed = {
  'X-Bokun-Date': '2013-11-09 14:33:46',
  'X-Bokun-AccessKey': keys.accessKey,
  'X-Bokun-Signature': 'XrOiTYa9Y34zscnLCsAEh8ieoyo=',
};

test('the signature is the one of Bókun’s documents', () => {
  const account = {
    accountId: '1',
    apiKey: keys.accessKey,
    secretKey: keys.secretKey,
    timeZone: 'Atlantic/Reykjavik',
  };
  expect(
    authenticate({ ...request, headers: {}, body: new Uint8Array(), settings: {}, account, purpose: 'read' }),
  ).toEqual({
    headers: signed,
  });
});

test('the simulator accepts it, and no other', () => {
  const headers = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]),
  );
  expect(isSigned({ ...request, headers, body: new Uint8Array() }, keys)).toBe(true);
  for (const changes of [
    { method: 'GET' },
    { url: new URL('https://api.bokun.io/activity.json/search?lang=EN') },
    { url: new URL('https://api.bokun.io/activity.json?lang=EN&currency=ISK') },
    { now: new Date('2013-11-09T14:38:47.000Z') },
    { now: new Date('2013-11-09T14:28:45.000Z') },
    { headers: { ...headers, 'x-bokun-date': '2013-11-09 14:33:47' } },
    { headers: { ...headers, 'x-bokun-date': '2013-11-09T14:33:46Z' } },
    { headers: { ...headers, 'x-bokun-accesskey': keys.secretKey } },
    { headers: { ...headers, 'x-bokun-signature': '' } },
  ]) {
    expect(isSigned({ ...request, headers, body: new Uint8Array(), ...changes }, keys)).toBe(false);
  }
});
