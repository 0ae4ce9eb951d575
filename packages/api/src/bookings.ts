import {
  bookedSessionSchema,
  bookingForms,
  bookingSchema,
  statusGroups,
  warningCodes,
} from '@waiver-service/core';
import { z } from 'zod';
import {
  chosenSystemSchema,
  dateTimeSchema,
  pageQueryFields,
  pageSchema,
  redactedSchema,
  timeSchema,
} from './fields.ts';
import { isTimeZone } from './pools.ts';
import { route } from './route.ts';

/** The steps of a read, in order. Those from `session` to `parse` may occur several times. */
export const readStepNames = [
  'resolve',
  'address',
  'turn',
  'session',
  'dns',
  'connect',
  'tls',
  'request',
  'parse',
  'form',
  'normalize',
  'warnings',
] as const;

const headersSchema = z.array(z.object({ name: z.string(), value: z.string() }));

const bodySchema = z
  .object({
    text: z.string().describe('Text of the body, without secrets; only the beginning of a long body.'),
    bytes: z.int(),
    isWhole: z.boolean(),
  })
  .meta({ id: 'ShownBody' });

/** One step of how a booking was read, for a person. */
export const readStepSchema = z
  .object({
    step: z
      .enum(readStepNames)
      .describe(
        '`resolve`: finding the plugin and the installation. `address`: checking the settings and the base address. `turn`: waiting for the rate limits. `session`: getting a token. `normalize`: converting the booking to the contract’s form.',
      ),
    state: z.enum(['done', 'failed', 'skipped']),
    startedMs: z
      .number()
      .optional()
      .describe(
        'Milliseconds from the start of the first step to the start of this one; absent if not timed.',
      ),
    durationMs: z.number().optional(),
    message: z.string().describe('Result of the step, in a sentence.'),
    advice: z.string().optional().describe('What to do about the failure, if the step failed.'),
    exchange: z
      .object({
        method: z.string(),
        url: z.string(),
        requestHeaders: headersSchema.describe('Request headers; values that may be secret are redacted.'),
        requestBody: bodySchema.optional(),
        answeredAfterMs: z
          .number()
          .optional()
          .describe('Milliseconds from the start of the first step to the first byte of the response.'),
        status: z.int().optional(),
        answerHeaders: headersSchema.optional(),
        answer: bodySchema.optional().describe('The response body, as received. Not stored.'),
      })
      .optional(),
  })
  .meta({ id: 'ReadStep' });

/** The refusals of routes that read from a booking system, by status. */
export const bookingReadProblems = {
  409: 'Several booking systems are installed and none is named, or the booking system is not configured; `code` says which.',
  424: 'No booking system is installed for the pool, or the installation is waiting for approval.',
  502: 'The booking system rejected the API key, failed, or returned something that is not a booking; `code` says which.',
  503: 'The booking system’s rate limit is reached, or the database is temporarily unavailable. See Retry-After.',
  504: 'The booking system did not respond in time.',
} as const;

const prefillSchema = z.record(z.string(), z.unknown());

/** A deviation that was tolerated while the booking was read. */
export const bookingWarningSchema = z
  .object({
    code: z.enum(warningCodes),
    path: z.string().optional(),
    message: z.string(),
  })
  .meta({ id: 'BookingWarning' });

// Only what is listed here: other fields of a booking may be about its guests, such as notes.
const redactedSessionSchema = bookedSessionSchema.partial().required({ startsAt: true }).strip();

export const redactedBookingSchema = z
  .object({
    id: z.string(),
    status: z.string(),
    statusGroup: z.enum(statusGroups).optional(),
    pax: z.int(),
    bookedSessions: z.array(redactedSessionSchema),
    contact: z.null(),
    guests: z.null(),
  })
  .describe('A booking without guests’ data, as returned to viewers.')
  .meta({ id: 'RedactedBooking' });

/** The response of `GET …/bookings/{booking_id}`. */
export const bookingAnswerSchema = z.object({
  bookingSystem: z.string(),
  form: z.enum(bookingForms),
  booking: z.union([bookingSchema, redactedBookingSchema]),
  redacted: redactedSchema,
  booker: prefillSchema
    .nullish()
    .describe('Pre-fill data of the contact, if the booking names no individual guests; null for a viewer.'),
  guests: z
    .array(
      z.object({
        bookingGuestId: z.string().optional(),
        prefill: prefillSchema.describe(
          'Data to pre-fill the guest’s waiver: `name`, `email`, `phoneNumber` and the pool’s `prefillProperties`, if available.',
        ),
        waiverId: z.string().optional(),
        signed: z.boolean(),
      }),
    )
    .nullable()
    .describe('The guests of the booking; null for a viewer.'),
  waivers: z.object({
    signed: z.int(),
    pax: z.int(),
    missing: z.array(z.object({ bookingGuestId: z.string().optional(), name: z.string().optional() })),
  }),
  warnings: z.array(bookingWarningSchema),
  fetchedAt: dateTimeSchema,
  stale: z.boolean().describe('Whether the booking system is down and this is its last valid response.'),
  ageSeconds: z
    .int()
    .optional()
    .describe('Age of a stale booking in seconds; absent if the booking is not stale.'),
  explanation: z
    .object({
      steps: z.array(readStepSchema),
      aliases: z.array(z.string()).describe('Other ids by which the booking was requested, at most 100.'),
    })
    .optional()
    .describe(
      'How the booking was read or, for a stale booking, how the read failed. Only with `explain=true`.',
    ),
});

export const readBooking = route.get('/v1/pools/:pool/bookings/:booking_id', {
  config: { access: 'bookings:read', audited: true, problems: bookingReadProblems },
  operationId: 'readBooking',
  tags: ['Bookings'],
  summary: 'Read a booking, pre-filled for its guests',
  querystring: z.strictObject({
    bookingSystem: chosenSystemSchema,
    explain: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        'With `true`, adds `explanation`: how the booking was read, with the booking system’s responses as received. For operators and owners only.',
      ),
  }),
  response: { 200: bookingAnswerSchema },
});

export const listedBookingSchema = z
  .object({
    bookingId: z.string(),
    booking: z
      .union([bookingSchema, redactedBookingSchema])
      .nullable()
      .describe('The booking; null if it could not be read.'),
    redacted: redactedSchema,
    waivers: z.object({ signed: z.int(), pax: z.int().nullable() }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why the booking could not be read; null if it was read.'),
  })
  .meta({ id: 'ListedBooking' });

/** A time in a query: a date-time with a time zone, or a date, which means its midnight. */
const momentSchema = z.union([timeSchema, z.iso.date()], {
  error: 'a date-time with a time zone, such as 2027-06-12T00:00:00+02:00, or a date, such as 2027-06-12',
});

/** The query parameters of a period. */
export const periodFields = {
  from: momentSchema.describe(
    'Only sessions that take place, at least in part, at or after this time: a date-time with a time zone, or a date, which means the beginning of that day in `timeZone`.',
  ),
  until: momentSchema.describe(
    'Only sessions that start before this time, at most 31 days after `from`. Same formats as `from`.',
  ),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'a time zone such as Europe/Vienna')
    .default('UTC')
    .describe('Time zone of `from` and `until` if they are dates, such as Europe/Vienna.'),
};

export const listBookings = route.get('/v1/pools/:pool/bookings', {
  config: {
    access: 'bookings:read',
    audited: true,
    problems: {
      ...bookingReadProblems,
      409: `${bookingReadProblems[409]} Or the booking system cannot list bookings.`,
    },
  },
  operationId: 'listBookings',
  tags: ['Bookings'],
  summary: 'List the bookings of a period, and how many guests of each have signed',
  description:
    'Queries the booking system and returns, in its order, the bookings with a session that starts in the period. A page may have fewer items than `limit`, or none, and still have a `next`. Returns 409 `listing_not_supported` if the booking system cannot list bookings.',
  querystring: z.strictObject({
    ...periodFields,
    bookingSystem: chosenSystemSchema,
    ...pageQueryFields,
  }),
  response: { 200: pageSchema(listedBookingSchema).extend({ bookingSystem: z.string() }) },
});

/** A booked session without the fields that its booking system adds. */
export const shownSessionSchema = z
  .object({
    startsAt: z.string(),
    endsAt: z.string().optional(),
    activityId: z.string().optional(),
    activityName: z.string().optional(),
  })
  .meta({ id: 'ShownSession' });
