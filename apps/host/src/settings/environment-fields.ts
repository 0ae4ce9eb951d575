import { isIP } from 'node:net';
import type { EncryptionKey } from '@waiver-service/store';
import { z } from 'zod';
import { installNameOfPackage } from '../booking-systems/plugin-packages.ts';
import { durationSchema } from './duration.ts';
import type { MailServer } from './host-settings.ts';

const listOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A whole number in a range, written in digits. */
export function wholeNumberSchema(min: number, max: number) {
  return z.string().transform((text, context) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    context.addIssue({
      code: 'custom',
      message: `is ${JSON.stringify(text)}: it must be a whole number from ${min} to ${max}`,
    });
    return z.NEVER;
  });
}

/** Whether a text is an address or an address range such as `10.0.0.0/8`. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** A comma-separated list of addresses or address ranges. */
export const addressRangesSchema = z.string().transform((text, context) => {
  const ranges = listOf(text);
  const wrong = ranges.find((range) => !isAddressRange(range));
  if (wrong === undefined) return ranges;
  context.addIssue({
    code: 'custom',
    message: `has ${JSON.stringify(wrong)}: it must be a list of addresses or CIDRs, such as 127.0.0.1/32,10.0.0.0/8`,
  });
  return z.NEVER;
});

/** A comma-separated list of plugin packages. */
export const pluginPackagesSchema = z.string().transform((text, context) => {
  const names = listOf(text);
  const wrong = names.find((name) => installNameOfPackage(name) === undefined);
  if (wrong === undefined) return [...new Set(names)];
  context.addIssue({
    code: 'custom',
    message: `has ${JSON.stringify(wrong)}: it must be a list of packages whose names begin with waiver-service-plugin- or @waiver-service/plugin-`,
  });
  return z.NEVER;
});

/** `false`, a number of proxies, or their address ranges. Not `true`, which would let any client choose its address. */
export const trustProxySchema = z.string().transform((text, context): false | number | string[] => {
  if (text === 'false' || text === '0') return false;
  if (/^\d$/.test(text)) return Number(text);
  const ranges = listOf(text);
  if (ranges.length > 0 && ranges.every(isAddressRange)) return ranges;
  context.addIssue({
    code: 'custom',
    message: `is ${JSON.stringify(text)}: it must be false, the number of proxies (1 to 9), or their CIDRs`,
  });
  return z.NEVER;
});

function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const isDecodable = (text: string) => !/%(?![0-9A-Fa-f]{2})/.test(text);

/** Whether a text is an http or https address without user, query or fragment. */
function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    !/[?#\s]/.test(text)
  );
}

/** A public base address; parsed without a trailing slash. */
export const baseUrlSchema = z
  .string()
  .refine(
    isPlainAddress,
    'must be an http or https address without user, query or fragment, such as https://waivers.example.com',
  )
  .transform((text) => text.replace(/\/+$/, ''));

/** The address of an OpenID Connect issuer, kept as it is: its tokens repeat it to the letter. */
export const issuerSchema = z
  .string()
  .refine(
    isPlainAddress,
    'must be the https address of an OpenID Connect issuer, without user, query or fragment, such as https://login.example.com',
  );

// Never shown, because it may contain a password. Not parsed as a URL, because
// `postgres://user@/database?host=/run/postgres`, which names a socket, is not one.
/** The address of a PostgreSQL database. */
export const databaseUrlSchema = z
  .string()
  .regex(
    /^postgres(ql)?:\/\/\S+$/,
    'must be the address of a PostgreSQL database, such as postgres://user:password@host:5432/database',
  );

/** A mail server. Never shown, because it may contain a password. */
export const smtpUrlSchema = z.string().transform((text, context): MailServer => {
  const url = URL.parse(text);
  const secure = url?.protocol === 'smtps:';
  if (
    url !== null &&
    (secure || url.protocol === 'smtp:') &&
    url.hostname !== '' &&
    url.pathname.replace('/', '') === '' &&
    url.search === '' &&
    url.hash === '' &&
    isDecodable(url.username) &&
    isDecodable(url.password)
  ) {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      user: url.username === '' ? undefined : decodeURIComponent(url.username),
      password: url.password === '' ? undefined : decodeURIComponent(url.password),
    };
  }
  context.addIssue({
    code: 'custom',
    message:
      'must be the address of a mail server, such as smtps://user:password@mail.example.com:465; percent-encode special characters of the password',
  });
  return z.NEVER;
});

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;

function otlpHeaderOf(item: string): readonly [name: string, value: string] | undefined {
  const [, name = '', encoded = ''] = /^([^=]+)=(.*)$/.exec(item) ?? [];
  if (!headerName.test(name.trim())) return undefined;
  const value = decodeText(encoded.trim());
  return value === undefined || !headerValue.test(value) ? undefined : [name.trim().toLowerCase(), value];
}

/** Headers for a collector: `name=value`, percent-encoded as OpenTelemetry has them. Never shown: they hold keys. */
export const otlpHeadersSchema = z
  .string()
  .max(10_000, 'may be 10000 characters long at most')
  .transform((text, context): Readonly<Record<string, string>> => {
    const headers = listOf(text).map(otlpHeaderOf);
    const valid = headers.filter((header) => header !== undefined);
    if (valid.length === headers.length) return Object.fromEntries(valid);
    context.addIssue({
      code: 'custom',
      message:
        'must be a list of headers such as api-key=secret,x-tenant=waivers; percent-encode special characters of values',
    });
    return z.NEVER;
  });

/** A number from 0 to 1. */
export const ratioSchema = z.string().transform((text, context) => {
  const value = /^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  context.addIssue({
    code: 'custom',
    message: `is ${JSON.stringify(text)}: it must be a number from 0 to 1, such as 0.1`,
  });
  return z.NEVER;
});

/** The admin API's bearer token: hard to guess, and valid in an `Authorization` header. */
export const adminTokenSchema = z
  .string()
  .regex(/^[A-Za-z0-9._~+/-]+=*$/, 'may hold letters, digits and . _ ~ + / - only, as a bearer token')
  .refine(
    (token) => token.length >= 16 && token.length <= 512 && new Set(token).size >= 6,
    'is too easy to guess: give it 16 to 512 characters, 6 different ones at least (openssl rand -hex 32 makes a good one)',
  );

function encryptionKeyOf(text: string): EncryptionKey | undefined {
  const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(text) ?? [];
  if (id === undefined || base64 === undefined) return undefined;
  const key = Buffer.from(base64, 'base64');
  return key.length === 32 ? { id, key } : undefined;
}

/** `id:base64` list of 32-byte keys; the first encrypts, all decrypt. */
export const encryptionKeysSchema = z.string().transform((text, context) => {
  const keys = listOf(text)
    .map(encryptionKeyOf)
    .filter((key) => key !== undefined);
  const complete = keys.length > 0 && keys.length === listOf(text).length;
  if (complete && new Set(keys.map(({ id }) => id)).size === keys.length) return keys;
  context.addIssue({
    code: 'custom',
    message:
      'must be a list of id:base64, each a different id and 32 bytes in base64 (openssl rand -base64 32 makes one)',
  });
  return z.NEVER;
});

export const retryScheduleSchema = z
  .string()
  .transform(listOf)
  .refine(
    (waits) => waits.length >= 1 && waits.length <= 100,
    'must be a list of 1 to 100 durations, such as 0s,5s,5m',
  )
  .pipe(z.array(durationSchema(0)));
