import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { MailServer } from '@waiver-service/alerts/alerts-settings';
import type { EncryptionKey } from '@waiver-service/database';
import { installNameOfPackage } from '@waiver-service/integration/load-plugins';
import { z } from 'zod';

/** Invalid settings, in sentences that name the variables. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

const millisecondsOf: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  y: 365 * 86_400_000,
};

/** The maximum of a duration setting, unless it says otherwise. */
export const maxDurationMs = 365 * 86_400_000;

/** The maximum of a retention setting. */
export const maxRetentionMs = 10 * 365 * 86_400_000;

/**
 * Parses a duration such as `500ms`, `10s`, `5m`, `24h`, `30d` or `2y`.
 * @returns milliseconds; `undefined` if the text is not a duration or is longer than ten years
 */
export function readDuration(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,12})(ms|s|m|h|d|y)$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (millisecondsOf[unit] ?? Number.NaN);
  return milliseconds <= maxRetentionMs ? milliseconds : undefined;
}

/** The duration in the largest unit of which it is a whole number. */
function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  const units = Object.entries(millisecondsOf);
  const [unit, size] = units.findLast(([, ms]) => milliseconds % ms === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}

/** A text parsed by `parse`; refused with the message if that returns `undefined`. */
const parsedText = <Value>(
  parse: (text: string) => Value | undefined,
  message: string | ((text: string) => string),
) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue(typeof message === 'string' ? message : message(text));
    return z.NEVER;
  });

/** A duration of `min` to `max` milliseconds; parsed to milliseconds. */
export const durationSchema = (min: number, max = maxDurationMs) =>
  parsedText(
    (text) => {
      const milliseconds = readDuration(text);
      return milliseconds !== undefined && milliseconds >= min && milliseconds <= max
        ? milliseconds
        : undefined;
    },
    (text) =>
      `is ${JSON.stringify(text)}: it must be a duration from ${formatDuration(min)} to ${formatDuration(max)}, written as 500ms, 10s, 5m, 24h, 30d or 1y`,
  );

const listOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A whole number in a range, written in digits. */
export const wholeNumberSchema = (min: number, max: number) =>
  parsedText(
    (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
    (text) => `is ${JSON.stringify(text)}: it must be a whole number from ${min} to ${max}`,
  );

/** Whether a text is an address or an address range such as `10.0.0.0/8`. */
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** A comma-separated list of which each item is valid. */
const listSchema = (isValid: (item: string) => boolean, form: string) =>
  parsedText(
    (text) => (listOf(text).every(isValid) ? listOf(text) : undefined),
    (text) => `has ${JSON.stringify(listOf(text).find((item) => !isValid(item)))}: it must be ${form}`,
  );

/** A comma-separated list of addresses or address ranges. */
export const addressRangesSchema = listSchema(
  isAddressRange,
  'a list of addresses or CIDRs, such as 127.0.0.1/32,10.0.0.0/8',
);

/** A comma-separated list of plugin packages. */
export const pluginPackagesSchema = listSchema(
  (name) => installNameOfPackage(name) !== undefined,
  'a list of packages whose names begin with waiver-service-plugin- or @waiver-service/plugin-',
).transform((names) => [...new Set(names)]);

/** `false`, a number of proxies, or their address ranges. Not `true`, which would let any client choose its address. */
export const trustProxySchema = parsedText(
  (text): false | number | string[] | undefined => {
    if (text === 'false' || text === '0') return false;
    if (/^\d$/.test(text)) return Number(text);
    const ranges = listOf(text);
    return ranges.length > 0 && ranges.every(isAddressRange) ? ranges : undefined;
  },
  (text) => `is ${JSON.stringify(text)}: it must be false, the number of proxies (1 to 9), or their CIDRs`,
);

function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is an http or https address without user or fragment. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    !/[#\s]/.test(text)
  );
}

/** Whether it has no query, either. */
const isPlainAddress = (text: string) => isAddress(text) && !text.includes('?');

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

/** The address of a stamp server, kept as it is: a slash at its end is part of it, and it may have a query. */
export const timestampUrlSchema = z
  .string()
  .refine(
    isAddress,
    'must be the http or https address of a stamp server, without user or fragment, such as https://stamps.example.com/tsr',
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
export const smtpUrlSchema = parsedText((text): MailServer | undefined => {
  const url = URL.parse(text);
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) return undefined;
  const { port } = url;
  // Only the addresses of web pages have their host in punycode already.
  const hostname = url.hostname.includes('%') ? domainToASCII(decodeText(url.hostname) ?? '') : url.hostname;
  const isBare = url.pathname.replace('/', '') === '' && url.search === '' && url.hash === '';
  const user = decodeText(url.username);
  const password = decodeText(url.password);
  if (hostname === '' || !isBare || user === undefined || password === undefined) return undefined;
  const secure = url.protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    user: user || undefined,
    password: password || undefined,
  };
}, 'must be the address of a mail server, such as smtps://user:password@mail.example.com:465; percent-encode special characters of the password, as UTF-8');

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e]*$/;

function otlpHeaderOf(item: string): readonly [name: string, value: string] | undefined {
  const [, name = '', encoded = ''] = /^([^=]+)=(.*)$/.exec(item) ?? [];
  if (!headerName.test(name.trim())) return undefined;
  const value = decodeText(encoded.trim());
  return value === undefined || !headerValue.test(value) ? undefined : [name.trim().toLowerCase(), value];
}

/** A collector's headers, `name=value`, percent-encoded as in OpenTelemetry. Secret, so never shown. */
export const otlpHeadersSchema = parsedText((text): Readonly<Record<string, string>> | undefined => {
  if (text.length > 10_000) return undefined;
  const headers = listOf(text).map(otlpHeaderOf);
  const valid = headers.filter((header) => header !== undefined);
  return valid.length === headers.length ? Object.fromEntries(valid) : undefined;
}, 'must be a list of headers such as api-key=secret,x-tenant=waivers, of 10000 characters at most; percent-encode special characters of values');

/** A number from 0 to 1. */
export const ratioSchema = parsedText(
  (text) => {
    const value = /^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text) ? Number(text) : Number.NaN;
    return value >= 0 && value <= 1 ? value : undefined;
  },
  (text) => `is ${JSON.stringify(text)}: it must be a number from 0 to 1, such as 0.1`,
);

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
export const encryptionKeysSchema = parsedText((text) => {
  const keys = listOf(text)
    .map(encryptionKeyOf)
    .filter((key) => key !== undefined);
  const isComplete = keys.length > 0 && keys.length === listOf(text).length;
  return isComplete && new Set(keys.map(({ id }) => id)).size === keys.length ? keys : undefined;
}, 'must be a list of id:base64, each a different id and 32 bytes in base64 (openssl rand -base64 32 makes one)');

export const retryScheduleSchema = z
  .string()
  .transform(listOf)
  .refine(
    (waits) => waits.length >= 1 && waits.length <= 100,
    'must be a list of 1 to 100 durations, such as 0s,5s,5m',
  )
  .pipe(z.array(durationSchema(0)));
