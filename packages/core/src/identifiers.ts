import { z } from 'zod';

/** The format of an install name, the `<booking_system>` in the path of the install call (contract 4.4). */
export const installNamePattern = /^[a-z][a-z0-9-]{1,62}$/;

/** Maximum length of `waiver.id`, in bytes of UTF-8 (contract 8). */
export const maxWaiverIdBytes = 256;

// URL parsers remove these path segments, even percent-encoded.
const isDotSegment = (text: string) => text === '.' || text === '..';
// A UTF-16 code unit takes at most three bytes: most ids need not be encoded.
const isWithinBytes = (text: string, maxBytes: number) =>
  text.length * 3 <= maxBytes || new TextEncoder().encode(text).length <= maxBytes;

/**
 * Whether a text can be stored unchanged: PostgreSQL's `text` cannot hold U+0000, and a lone surrogate has no UTF-8
 * encoding.
 */
export const isStorableText = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

const identifier = (name: string, maxBytes: number) =>
  z
    .string()
    .min(1, `${name} is empty`)
    .refine((text) => isWithinBytes(text, maxBytes), `${name} is longer than ${maxBytes} bytes of UTF-8`)
    .refine(isStorableText, `${name} has a character that cannot be stored (U+0000 or half a surrogate pair)`)
    .refine((text) => !isDotSegment(text), `${name} may not be "." or ".."`);

/** The install name of a booking system, such as `standard-query`. */
export const installNameSchema = z
  .string()
  .regex(
    installNamePattern,
    'a booking system is named by 2 to 63 lower-case letters, digits and hyphens, a letter first',
  );

/** A waiver's id: 1 to 256 bytes of UTF-8, any characters but U+0000 and lone surrogates (contract 2.5, 8). */
export const waiverIdSchema = identifier('a waiver id', maxWaiverIdBytes);

/** The id of a pool, which represents an operator's app. */
export const poolIdSchema = identifier('a pool id', 128);

/** A booking system's own booking id. */
export const bookingIdSchema = identifier('a booking id', 256);

/** A booking system's own guest id. */
export const bookingGuestIdSchema = identifier('a booking guest id', 256);

/**
 * The account's id in the booking system, string or number; its JSON type is preserved (contract 2.7). Integers beyond
 * the safe range are rejected, because parsing has already lost digits.
 */
export const accountIdSchema = z.union([
  z.string().min(1).max(256).refine(isStorableText, 'accountId has a character that cannot be stored'),
  z
    .number()
    .refine(
      (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
      'accountId is a number that JSON cannot carry exactly: send it as a string',
    ),
]);

/** See {@link accountIdSchema}. */
export type AccountId = z.infer<typeof accountIdSchema>;
