import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggableUrl } from '../../src/http/request-log.ts';

const secret = 'wsp_0123456789';

test.each([
  'key',
  'KEY',
  'k%65y',
  '%6Bey',
  'key%20',
  '+key',
  'api-key',
  'apiKey',
  'token',
  'access_token',
  'x',
])('the value of an unknown parameter is not logged: %s', (name) => {
  expect(loggableUrl(`/integration/webhook/x?limit=1&${name}=${secret}=&pool=2`)).toBe(
    `/integration/webhook/x?limit=1&${name}=[redacted]&pool=2`,
  );
});

test('keys of this service are never logged, wherever they appear', () => {
  const key = `wsp_${'a1-_'.repeat(10)}`;
  for (const url of [
    `/${key}`,
    `/v1/pools/${key}/waivers`,
    `/x?pool=${key}`,
    `/x?${key}`,
    `/x?${key}=1&limit=${key}`,
  ]) {
    expect(loggableUrl(url)).not.toContain('a1-_');
  }
});

test('the token of an unsubscription is not logged', () => {
  expect(loggableUrl('/unsubscribe/p%20one/hash.proof-1_?language=de')).toBe(
    '/unsubscribe/p%20one/[redacted]?language=[redacted]',
  );
});

test('the rest of an address is logged unchanged', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.webQueryParameters(), (url, value) => {
      // Without `@`: what stands between `:` and `@` behind a host could be a password.
      const filled = `${url}?limit=1&bookingId=${value.replaceAll(/[&@]/g, '')}&flag`;
      expect(loggableUrl(filled)).toBe(filled);
    }),
  );
});
