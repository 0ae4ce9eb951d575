import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import { signedPageSchema, signingLimits, signingSchema } from '@waiver-service/forms';
import { z } from 'zod';
import { budgetProblem, linkProblem, poolBusyProblem } from './check-in.ts';
import { dateTimeSchema, fieldProblemSchema, noContentSchema, pagesOf, redactedSchema } from './fields.ts';
import { publishedFormSchema } from './forms.ts';
import { route } from './route.ts';

export const finishPage = route.put('/check-in/api/signings/:id/page', {
  config: {
    access: 'check-in-link',
    problems: {
      401: linkProblem,
      403: 'A `bookingGuestId` is of a guest whom the link does not cover (`guest_not_of_link`).',
      409: 'A guest has already signed (`already_signed`), another signing has this id (`signing_exists`), or the booking was cancelled (`booking_cancelled`).',
      429: poolBusyProblem,
    },
  },
  operationId: 'finishPage',
  tags: ['Check-in'],
  summary: 'Store a finished page of a form that has several pages',
  description:
    'Stores the answers so far, without consents and signatures. Nothing is stored until every guest has a name. Webhooks are notified of it, with its `currentPage`; booking systems only when the guest signs.',
  params: z.object({ id: z.uuid() }),
  body: signedPageSchema,
  response: { 204: z.null().describe('Stored, or not stored yet because a guest has no name.') },
});

/** Strokes and photos make a signing larger than other bodies. */
export const maxSigningBytes = 4 * 1024 * 1024;

/** The base64 envelope of a signing of the maximum size, and the JSON around it. */
const maxEnvelopeBytes = Math.ceil((maxSigningBytes + 1_024) / 3) * 4 + 1_024;

const sealedSigningSchema = z.strictObject({
  envelope: z
    .base64url()
    .describe(
      'The envelope sealed by the check-in page. See packages/forms/src/envelope in the sources for its format.',
    ),
});

const keptSigningSchema = z.object({
  id: z.string().nullable().describe('The id of the signing; null if the signing cannot be read.'),
  kept: z.literal(true),
});

export const signingAnswerSchema = z
  .object({
    id: z.string(),
    waivers: z.array(z.object({ id: z.string(), bookingGuestId: z.string().optional() })),
    receivedAt: dateTimeSchema,
    copy: z.object({
      url: z
        .url()
        .describe('The guest’s copy of what was signed. Whoever has the URL can read it: see `openCopy`.'),
    }),
  })
  .meta({ id: 'StoredSigning' });

export const sendSealedSigning = route.post('/check-in/api/sealed-signings/:key', {
  config: {
    access: 'check-in-link',
    problems: {
      404: 'No pool has this key (`sealing_key_not_found`).',
      413: 'The envelope is larger than any valid signing requires.',
      422: 'The envelope cannot be opened with this key (`envelope_damaged`).',
      429: `Too many in the pool at the same time (\`pool_busy\`), or too many that wait for staff (\`too_many_late_signings\`). ${budgetProblem}`,
    },
  },
  bodyLimit: maxEnvelopeBytes,
  operationId: 'sendSealedSigning',
  tags: ['Check-in'],
  summary: 'Send a signing that waited on a device',
  description:
    'The envelope is sealed with the `sealing` key and contains the token of the link or kiosk. The signing is checked as of when it was signed; if it cannot be stored as waivers, it is kept for the operator’s staff (202). After any 2xx, the device deletes its copy. Idempotent.',
  params: z.object({ key: z.string().min(1).max(100) }),
  body: sealedSigningSchema,
  response: {
    200: signingAnswerSchema.describe('The signing was already stored.'),
    201: signingAnswerSchema,
    202: keptSigningSchema,
  },
});

const problemFields = { success: z.literal(false), message: z.string(), code: z.string() };

export const signingConflictSchema = z
  .object({ ...problemFields, form: publishedFormSchema.optional() })
  .describe(
    'A conflict: `form_changed` (`form` is the form to sign now), `already_signed`, `signing_exists`, `waiver_voided` or `booking_cancelled`.',
  )
  .meta({ id: 'SigningConflict' });

export const invalidSigningSchema = z
  .object({
    ...problemFields,
    errors: z.array(fieldProblemSchema).optional(),
    problems: z
      .array(
        z.object({
          item: z.string().nullable(),
          guest: z.int().nullable(),
          field: z.string(),
          message: z.string(),
        }),
      )
      .optional()
      .describe('With `signing_invalid`: what is missing or wrong, in the language of the signing.'),
  })
  .meta({ id: 'InvalidSigning' });

/** The answers to a signing. */
export const signingAnswers = {
  200: signingAnswerSchema.describe('The signing was stored already, with the same content.'),
  201: signingAnswerSchema,
  400: invalidSigningSchema,
  409: signingConflictSchema,
};

export const sign = route.post('/check-in/api/signings', {
  config: {
    access: 'check-in-link',
    problems: {
      401: linkProblem,
      403: 'A `bookingGuestId` is of a guest whom the link does not cover (`guest_not_of_link`).',
      413: 'The signing is larger than 4 MiB, or the answers of a guest are larger than 256 KiB.',
      429: poolBusyProblem,
    },
  },
  bodyLimit: maxSigningBytes,
  operationId: 'sign',
  tags: ['Check-in'],
  summary: 'Sign for a guest and their children',
  description:
    'Stores a waiver for each guest and the sealed record; the booking system is notified afterwards. Takes the token of the link as the bearer token. Idempotent by `id`.',
  body: signingSchema,
  response: signingAnswers,
});

export const lateSigningSchema = z
  .object({
    id: z.string(),
    reason: z
      .string()
      .describe(
        'Why the signing could not be stored, as a problem code such as `already_signed`, `link_revoked`, `booking_cancelled` or `form_changed`.',
      ),
    names: z.array(z.string()).nullable().describe('Names of the guests; null for a viewer.'),
    email: z.string().nullable(),
    bookingSystem: z.string().nullable(),
    bookingId: z.string().nullable(),
    signedAt: z
      .string()
      .nullable()
      .describe('ISO 8601 time of the signing by the service’s clock; null if the signing cannot be read.'),
    receivedAt: dateTimeSchema,
    redacted: redactedSchema,
  })
  .meta({ id: 'LateSigning' });

export const acceptedLateSigningSchema = z.strictObject({
  bookingSystem: z
    .string()
    .optional()
    .describe(
      'Install name. If omitted: the late signing’s own if the booking is the same, otherwise the pool’s default. Required if there is neither.',
    ),
  bookingId: bookingIdSchema
    .nullable()
    .optional()
    .describe(
      'The booking of the new waivers; null for none. If omitted, the `bookingId` of the late signing.',
    ),
  bookingGuestIds: z
    .array(bookingGuestIdSchema.nullable())
    .max(signingLimits.guests)
    .refine((given) => {
      const ids = given.filter((id) => id !== null);
      return new Set(ids).size === ids.length;
    }, 'name a guest twice')
    .optional()
    .describe(
      'The booking’s guest id for each guest, in the order of the signing; null for none. If omitted, the ids in the signing, unless the booking lacks them.',
    ),
});

export const listLateSignings = route.get('/v1/admin/pools/:pool/late-signings', {
  config: { access: 'viewer', audited: true },
  operationId: 'listLateSignings',
  tags: ['Check-in'],
  summary: 'List the signings that arrived late and need attention, oldest first',
  ...pagesOf(lateSigningSchema),
});

export const acceptLateSigning = route.post('/v1/admin/pools/:pool/late-signings/:id/accept', {
  config: {
    access: 'operator',
    problems: {
      409: 'What arrived cannot be read as a signing (`no_signing`), or several booking systems are installed and none is named (`booking_system_ambiguous`).',
      424: 'No booking system is installed for the pool (`not_installed`).',
    },
  },
  operationId: 'acceptLateSigning',
  tags: ['Check-in'],
  summary: 'Store a late signing as waivers of its guests',
  description:
    'Uses the form version that was signed, and accepts the signing even if someone else has signed for a guest or the link no longer works.',
  body: acceptedLateSigningSchema,
  response: { 201: signingAnswerSchema },
});

export const deleteLateSigning = route.delete('/v1/admin/pools/:pool/late-signings/:id', {
  config: { access: 'operator' },
  operationId: 'deleteLateSigning',
  tags: ['Check-in'],
  summary: 'Delete a late signing that is not needed',
  response: { 204: noContentSchema },
});
