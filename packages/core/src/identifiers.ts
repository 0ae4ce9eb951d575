import { z } from 'zod';

/** How a `<booking_system>` install name is written: the word in the path of the install call (contract 4.4). */
export const installNamePattern = /^[a-z][a-z0-9-]{1,62}$/;

/** Longest `waiver.id`, in bytes of UTF-8 (contract 8). */
export const waiverIdMaxBytes = 256;

// PostgreSQL text cannot hold U+0000, and a lone surrogate has no UTF-8 form: neither survives storing.
const storable = (text: string) => !text.includes('\u0000') && text.isWellFormed();
// A URL parser removes these two as path segments, even percent-encoded.
const isDotSegment = (text: string) => text === '.' || text === '..';
const byteLength = (text: string) => new TextEncoder().encode(text).length;

/** Whether a text can be stored and sent back as it is: no U+0000, no lone surrogate. */
export const isStorableText = storable;

const identifier = (what: string, maxBytes: number) =>
  z
    .string()
    .min(1, `${what} is empty`)
    .refine((text) => byteLength(text) <= maxBytes, `${what} is longer than ${maxBytes} bytes of UTF-8`)
    .refine(storable, `${what} has a character that cannot be stored (U+0000 or half a surrogate pair)`)
    .refine((text) => !isDotSegment(text), `${what} may not be "." or ".."`);

/** The install name of a booking system, such as `standard-query`. */
export const installNameSchema = z
  .string()
  .regex(
    installNamePattern,
    'a booking system is named by 2 to 63 lower-case letters, digits and hyphens, a letter first',
  );

/** A waiver's id: 1 to 256 bytes of UTF-8, any characters but U+0000 and lone surrogates (contract 2.5, 8). */
export const waiverIdSchema = identifier('a waiver id', waiverIdMaxBytes);

/** A pool's id: names an operator's app. */
export const poolIdSchema = identifier('a pool id', 128);

/** A booking system's own booking id. */
export const bookingIdSchema = identifier('a booking id', 256);

/** A booking system's own guest id. */
export const bookingGuestIdSchema = identifier('a booking guest id', 256);

/**
 * The account in the booking system, kept with the JSON type it came with (contract 2.7).
 * A number must be one that JSON carries exactly.
 */
export const accountIdSchema = z.union([
  z.string().min(1).max(256).refine(storable, 'accountId has a character that cannot be stored'),
  z
    .number()
    .refine(
      (value) => !Number.isInteger(value) || Number.isSafeInteger(value),
      'accountId is a number that JSON cannot carry exactly: send it as a string',
    ),
]);

/** See {@link accountIdSchema}. */
export type AccountId = z.infer<typeof accountIdSchema>;
