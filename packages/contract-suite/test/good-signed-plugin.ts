import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type BookingSystemPlugin,
  partnerApiKeySchema,
  type RequestAuthentication,
  type RequestToAuthenticate,
} from '@waiver-service/core';
import { defineBookingSystem, installedAccountSchema } from '@waiver-service/plugin-kit';
import type { ContractSuiteOptions, IsAuthentic } from '../src/index.ts';

const accountSchema = installedAccountSchema.extend({
  secretKey: partnerApiKeySchema.describe('The secret that belongs to the key.'),
});
type Account = ReturnType<typeof accountSchema.parse>;
type Request = RequestToAuthenticate<unknown, Account>;

/** The texts of which a signature is computed. */
export interface SignedParts {
  readonly date: string;
  readonly address: string;
}

/** As several vendors sign: `2027-06-12 08:00:00`, the key, the method, and path and query as they are sent. */
export const signedParts = ({ url, now }: Request): SignedParts => ({
  date: now.toISOString().slice(0, 19).replace('T', ' '),
  address: url.pathname + url.search,
});

/** Makes a plugin that follows the contract, apart from a signature over date, key, method, path and query. */
export const signedPlugin = (parts: (request: Request) => SignedParts): BookingSystemPlugin =>
  defineBookingSystem({
    installName: 'good-signed',
    displayName: 'Good, signed',
    contract: {
      authHeaderName: 'X-Signature',
      guestUpdateAuthHeaderName: 'X-Signature',
      pathShape: 'path',
      guestId: 'booking-guest-id',
    },
    accountSchema,
    authenticate(request) {
      const { date, address } = parts(request);
      const { apiKey, secretKey } = request.account;
      const signature = createHmac('sha1', secretKey).update(date + apiKey + request.method + address);
      return {
        headers: { 'X-Date': date, 'X-Access-Key': apiKey, 'X-Signature': signature.digest('base64') },
      };
    },
  });

/** Signs each request, by a secret that is never sent. */
export const goodSignedPlugin = signedPlugin(signedParts);

const maxAgeMs = 5 * 60_000;

/** As the vendor documents its check, written without the plugin's code. */
const isAuthentic: IsAuthentic = ({ method, url, headers, now }, { account }) => {
  const { 'x-date': date = '', 'x-access-key': key, 'x-signature': signature = '' } = headers;
  if (key !== account.apiKey) return false;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date)) return false;
  if (!(Math.abs(now.getTime() - Date.parse(`${date}Z`)) <= maxAgeMs)) return false;
  const hmac = createHmac('sha1', String(account.secretKey));
  for (const part of [date, account.apiKey, method, url.href.slice(url.origin.length)]) hmac.update(part);
  const expected = hmac.digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

export const signedOptions: ContractSuiteOptions = {
  account: { secretKey: 'planted-signing-secret-3e8a1b' },
  isAuthentic,
};

/** The headers of another plugin's authentication, as parameters of the query. */
const asQuery = ({ headers = {} }: RequestAuthentication): RequestAuthentication => ({ query: headers });

/** Signs as {@link goodSignedPlugin} does, but in the query and not at once. */
export const goodQuerySignedPlugin: BookingSystemPlugin = {
  ...goodSignedPlugin,
  installName: 'good-query-signed',
  authenticate: async (request) => asQuery((await goodSignedPlugin.authenticate?.(request)) ?? {}),
};

export const querySignedOptions: ContractSuiteOptions = {
  ...signedOptions,
  isAuthentic(request, access) {
    const url = new URL(request.url);
    const signed = Object.fromEntries(
      ['X-Date', 'X-Access-Key', 'X-Signature'].map((name) => [
        name.toLowerCase(),
        url.searchParams.get(name) ?? '',
      ]),
    );
    // The parameters of the signature stand at the end, and are not signed themselves.
    url.search = url.search.replace(/[?&]X-Date=.*$/, '');
    return isAuthentic({ ...request, url, headers: signed }, access);
  },
};
