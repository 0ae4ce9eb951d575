import { domainToASCII } from 'node:url';
import { bookingIdSchema, poolIdSchema, waiverIdSchema, zonedDateTimeSchema } from '@waiver-service/core';
import { z } from 'zod';
import { deliveryStateNames } from './names.ts';

/** A `Date` in a response, which is UTC, ISO 8601, with milliseconds and `Z`. */
export const dateTimeSchema = z.codec(z.date(), z.iso.datetime({ precision: 3 }), {
  decode: (date) => date.toISOString(),
  encode: (text) => new Date(text),
});

/** A date-time in a request, in any time zone, limited to what both PostgreSQL and `Date` can hold. */
export const timeSchema = zonedDateTimeSchema
  .refine((time) => time >= '1900' && time < '2200', 'a date-time between the years 1900 and 2200')
  .transform((time) => new Date(time));

// Not validated: the response to an unknown name lists the known ones.
const installName = z.string().describe('The install name of the booking system.');

/** What is wrong with one field of a body, a query, a path or a form. */
export const fieldProblemSchema = z
  .object({ path: z.string(), message: z.string() })
  .meta({ id: 'FieldProblem' });

/** The parameters of paths, in their order there. A route with another meaning for one describes all its parameters. */
export const pathParameters = {
  pool: poolIdSchema,
  booking_system: installName,
  date: z.iso
    .date({ error: 'a date written YYYY-MM-DD, such as 2027-06-12', abort: true })
    .refine((date) => date >= '1970-01-02' && date < '2200', 'a date between 1970 and 2200')
    .describe('Day in the pool’s time zone, such as `2027-06-12`.'),
  booking_id: bookingIdSchema,
  form: z.string().min(1).max(100),
  version: z.coerce.number().int().min(1).max(1_000_000_000),
  /** An id that this service generated. */
  id: z.string().min(1).max(100),
};

export const waiverParamsSchema = z.object({ pool: poolIdSchema, id: waiverIdSchema });

/** The query parameters of every list. */
export const pageQueryFields = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .describe('The maximum number of items per page.'),
  cursor: z
    .string()
    .min(1)
    // An id of 256 bytes may take six times that in JSON, and a third more in a cursor.
    .max(4096)
    .optional()
    .describe('The `next` of the previous page; omitted for the first page.'),
};

/** The query of a list without filters. */
export const pageQuerySchema = z.strictObject(pageQueryFields);

/** One page of a list: `next` is the cursor of the next page, `null` on the last one. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/** The query and the response of a list without filters. */
export const pagesOf = <Item extends z.ZodType>(item: Item) => ({
  querystring: pageQuerySchema,
  response: { 200: pageSchema(item) },
});

/** The name that people recognize a token by. */
export const keyNameSchema = z
  .string()
  .max(200)
  .refine((name) => name.trim() !== '', 'the name is blank');

export const expiresAtSchema = timeSchema
  .refine((time) => time.getTime() > Date.now(), 'is not in the future')
  .describe('When the credential or token expires; never if omitted.');

/** A key or token as shown after its creation, without the secret. */
export const keyItemSchema = z
  .object({
    id: z.string(),
    createdAt: dateTimeSchema,
    lastUsedAt: dateTimeSchema.nullable(),
    hint: z.string().describe('The first and last characters of the key or token, to tell them apart.'),
  })
  .meta({ id: 'Key' });

/** A key or token as an operator sees it. */
export type KeyInfo = Readonly<z.input<typeof keyItemSchema>>;

/** An address that the service will call. */
export const addressSchema = z.string().min(1).max(2048);

/** The booking system of a booking that a query names. */
export const chosenSystemSchema = z
  .string()
  .max(100)
  .optional()
  .describe('Install name; the pool’s default booking system if omitted.');

/** The response of a 204: it has no body. */
export const noContentSchema = z.null().describe('The request succeeded. The response has no body.');

/** The response of a public route that needs the database, for the OpenAPI document. */
export const unavailableResponse = {
  503: 'The database is temporarily unavailable: repeat the request. See Retry-After.',
};

/** Marks a response without guests' data. */
export const redactedSchema = z.literal(true).optional().describe('Present if the guests’ data is left out.');

export const deliveryKindSchema = z
  .enum(['guest-update', 'guest-webhook', 'alert', 'invitation'])
  .meta({ id: 'DeliveryKind' });

export const deliveryStateSchema = z.enum(deliveryStateNames).meta({ id: 'DeliveryState' });

const mailAddressMaxLength = 254;

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

const asciiPattern = new RegExp(`^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${label}\\.)+${label}$`);

// What follows the last @, without the ASCII characters that no domain has.
const unicodeDomain =
  /(?<=@)[A-Za-z0-9.\-\u0080-\u{10ffff}]*[\u0080-\u{10ffff}][A-Za-z0-9.\-\u0080-\u{10ffff}]*$/u;

/**
 * An address as mail servers take it: a domain that is not ASCII becomes punycode (`käse.example`,
 * `xn--kse-qla.example`). The result is not ASCII if the part before the @ is not: that would need SMTPUTF8, which many
 * servers lack.
 */
export const asciiAddress = (address: string): string => address.replace(unicodeDomain, domainToASCII);

const problemOfMailAddress = (text: string): string | undefined => {
  // Said already.
  if (text.length > mailAddressMaxLength) return undefined;
  const address = asciiAddress(text);
  if (address.length <= mailAddressMaxLength && asciiPattern.test(address)) return undefined;
  return /[^\0-\x7f].*@/.test(address)
    ? 'must be an address to which mail can be sent: before the @, many mail servers take no characters other than ASCII'
    : 'must be one mail address, such as operators@example.com';
};

/**
 * One mail address without a name, as in RFC 5321, unquoted: nothing in it can be a second address or a header. A domain
 * may be written in any script; see {@link asciiAddress}.
 */
export const mailAddressSchema = z
  .string()
  .max(mailAddressMaxLength)
  .superRefine((text, context) => {
    const message = problemOfMailAddress(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
