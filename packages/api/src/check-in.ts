import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { shownSessionSchema } from './bookings.ts';
import { dateTimeSchema, noContentSchema, pageQueryFields, pageSchema, timeSchema } from './fields.ts';
import { publishedFormSchema } from './forms.ts';
import { route } from './route.ts';

export const sealingSchema = z
  .object({ id: z.string(), publicKey: z.string() })
  .describe('The public key with which the page seals (encrypts) a signing that has to wait on the device.');

export const checkInSessionSchema = z.object({
  pool: z.object({ name: z.string() }),
  link: z.object({ kind: z.enum(['booking', 'guest', 'desk']), expiresAt: dateTimeSchema.nullable() }),
  booking: z
    .object({
      reference: z.string(),
      sessions: z.array(shownSessionSchema),
      pax: z.int().nullable(),
      signed: z.int(),
    })
    .nullable()
    .describe(
      'null for a desk link. While the booking system is unavailable, `sessions` is empty and `pax` null.',
    ),
  guests: z
    .array(
      z.object({
        bookingGuestId: z.string(),
        label: z.string().describe('First name and last initial; empty if the guest has no name.'),
        signed: z.boolean(),
        prefill: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'What the booking says about the guest, to fill in the form. Only on a link to this guest.',
          ),
      }),
    )
    .describe('The guests of the booking who have an id; on a link to one guest, only that guest.'),
  day: z.object({ date: z.string(), activities: z.array(z.string()), timeZone: z.string() }),
  form: publishedFormSchema,
  sealing: sealingSchema,
  returning: z
    .enum(['known', 'code'])
    .nullable()
    .describe(
      'How an earlier signing can be confirmed: `known`, by the guest of the link; `code`, by a guest who proves an e-mail address with a code; null if not at all.',
    ),
});

/** The 401 of routes that take a link's token, for the OpenAPI document. */
export const linkProblem =
  'The link is unknown (`link_unknown`), was revoked (`link_revoked`) or has expired (`link_expired`).';

/** What routes that take from {@link GuestBudgets} say about their 429. */
export const budgetProblem =
  'Too many wrong links, credentials, keys or envelopes from this address (`too_many_failures`), or too many requests or bytes by this link (`too_many_by_link`), from this address (`too_many_from_address`) or in the pool (`too_many_in_pool`), also in a day (`link_day_full`, `pool_day_full`). See Retry-After.';

/** The same for routes that also take turns and a share of the pool's bodies. */
export const poolBusyProblem = `Too much in the pool at the same time (\`pool_busy\`). ${budgetProblem}`;

export const readCheckInSession = route.get('/check-in/api/session', {
  config: {
    access: 'check-in-link',
    problems: {
      401: linkProblem,
      404: 'The booking no longer exists (`booking_not_found`), or the pool has no form for it (`no_form`).',
      409: 'The booking was cancelled (`booking_cancelled`).',
      429: poolBusyProblem,
    },
  },
  operationId: 'readCheckInSession',
  tags: ['Check-in'],
  summary: 'Read the booking, guests and form of a check-in link',
  description: 'Takes the token of the link as the bearer token.',
  response: { 200: checkInSessionSchema },
});

const linkSystemSchema = z
  .string()
  .optional()
  .describe('Install name; the pool’s default booking system if omitted.');

const linkExpirySchema = dateTimeSchema
  .nullable()
  .describe('When the link expires; null until the booking’s sessions are known.');

export const showBookingLink = route.post('/v1/admin/pools/:pool/bookings/:booking_id/check-in-link', {
  config: {
    access: 'operator',
    problems: {
      409: 'The link was revoked (`link_revoked`), the pool has no published form (`no_form`), or several booking systems are installed and none is named (`booking_system_ambiguous`).',
      424: 'The booking system is not installed for the pool (`not_installed`).',
    },
  },
  operationId: 'showBookingLink',
  tags: ['Check-in'],
  summary: 'Read the link that all guests of a booking use to sign',
  description:
    'Returns the link that the booking system gets as `web.preArrival`. The link is created on first use and stays the same, so it can be shown again.',
  querystring: z.strictObject({ bookingSystem: linkSystemSchema }),
  response: {
    200: z.object({
      url: z.url(),
      expiresAt: linkExpirySchema,
    }),
  },
});

const linkFields = {
  bookingSystem: z.string().nullable(),
  bookingId: z.string().nullable(),
  bookingGuestId: z.string().nullable(),
  desk: z.boolean(),
  expiresAt: dateTimeSchema.nullable(),
};

const linkSchema = z
  .object({
    id: z.string(),
    ...linkFields,
    createdAt: dateTimeSchema,
    createdBy: z.string(),
    revokedAt: dateTimeSchema.nullable(),
  })
  .describe('A check-in link without its token, which is shown only when the link is created.');

export const linkBodySchema = z
  .strictObject({
    bookingId: bookingIdSchema
      .optional()
      .describe('The booking that guests check in to. Required unless `desk` is true.'),
    bookingSystem: linkSystemSchema,
    bookingGuestId: bookingGuestIdSchema
      .optional()
      .describe(
        'Limits the link to this guest of the booking; the page is pre-filled with the guest’s data.',
      ),
    desk: z.literal(true).optional().describe('true for a link of the pool’s desk, without a booking.'),
    expiresAt: timeSchema
      .optional()
      .describe(
        'When the link expires, at most 366 days ahead. If omitted: 48 hours after the booking’s last session ends, even if it is rescheduled; for a desk, 366 days.',
      ),
  })
  .refine(({ bookingId, desk }) => (bookingId === undefined) === (desk === true), {
    path: ['bookingId'],
    message: 'either a bookingId or desk: true is needed, and not both',
  })
  .refine(({ bookingId, bookingGuestId }) => bookingGuestId === undefined || bookingId !== undefined, {
    path: ['bookingGuestId'],
    message: 'needs the bookingId',
  });

const foundLinkSchema = z
  .object({
    bookingSystem: z.string().nullable(),
    bookingId: z
      .string()
      .nullable()
      .describe(
        'The id that the booking itself has, even if the link was created with another; null for a desk link.',
      ),
    bookingGuestId: z.string().nullable(),
    revokedAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'FoundCheckInLink' });

export const findCheckInLink = route.post('/v1/admin/pools/:pool/check-in-links/find', {
  config: { access: 'operator', audited: 'once-a-minute' },
  operationId: 'findCheckInLink',
  tags: ['Check-in'],
  summary: 'Find the booking of a link that a guest shows',
  description: 'Finds expired and revoked links, too. The token is sent in the body because it is a secret.',
  body: z.strictObject({
    token: z.string().min(1).max(200).describe('The token, which is the last path segment of the link.'),
  }),
  response: { 200: foundLinkSchema },
});

export const createCheckInLink = route.post('/v1/pools/:pool/check-in-links', {
  config: {
    access: 'check-in:write',
    problems: {
      409: 'Several booking systems are installed and none is named (`booking_system_ambiguous`).',
      424: 'No booking system is installed for the pool (`not_installed`).',
    },
  },
  operationId: 'createCheckInLink',
  tags: ['Check-in'],
  summary: 'Create a link that guests use to sign on their phones',
  body: linkBodySchema,
  response: {
    201: z.object({
      id: z.string(),
      url: z.url().describe('The link with its token, which is shown only here.'),
      expiresAt: linkExpirySchema,
    }),
  },
});

export const listCheckInLinks = route.get('/v1/pools/:pool/check-in-links', {
  config: { access: 'check-in:write' },
  operationId: 'listCheckInLinks',
  tags: ['Check-in'],
  summary: 'List the check-in links of a pool',
  querystring: z.strictObject({
    ...pageQueryFields,
    bookingId: bookingIdSchema.optional(),
    desk: z.literal('true').optional().describe('Whether to list only links of the pool’s desk.'),
  }),
  response: { 200: pageSchema(linkSchema) },
});

export const revokeCheckInLink = route.delete('/v1/pools/:pool/check-in-links/:id', {
  config: { access: 'check-in:write' },
  operationId: 'revokeCheckInLink',
  tags: ['Check-in'],
  summary: 'Revoke a check-in link',
  response: { 204: noContentSchema },
});
