import { expect, test } from 'vitest';
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
