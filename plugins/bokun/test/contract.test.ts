import { createHmac } from 'node:crypto';
import { runContractSuite } from '@waiver-service/contract-suite';
import { expect, test } from 'vitest';
import { authenticate } from '../src/authenticate.ts';
import bokun from '../src/index.ts';
import { judged, scenarios, timeZone } from './scenarios.ts';

runContractSuite(bokun, {
  settings: { appSecret: 'planted-app-secret-5e02d7' },
  account: { secretKey: 'planted-secret-key-9b31f0', timeZone },
  // As documented: the UTC date, the access key, the method and the path with its query, concatenated.
  isAuthentic({ method, url, headers, now }, { account }) {
    const date = headers['x-bokun-date'] ?? '';
    if (
      date !==
      now
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d{3}Z$/, '')
    )
      return false;
    const signed = [date, account.apiKey, method, url.href.replace(url.origin, '')].join('');
    const signature = createHmac('sha1', String(account.secretKey)).update(signed).digest('base64');
    return headers['x-bokun-accesskey'] === account.apiKey && headers['x-bokun-signature'] === signature;
  },
  inboundSignature: {
    // As documented: `name=value` of the headers, sorted by name and joined by `&`.
    sign({ headers }, { settings }) {
      const names = Object.keys(headers).filter((name) => name.startsWith('x-bokun-'));
      const signed = names.sort().map((name) => `${name}=${headers[name]}`);
      const signature = createHmac('sha256', String(settings.appSecret)).update(signed.join('&'));
      return { headers: { 'X-Bokun-Hmac': signature.digest('base64') } };
    },
  },
  native: scenarios,
  judged,
});

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
