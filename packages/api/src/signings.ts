import { signedPageSchema, signingSchema } from '@waiver-service/forms';
import { z } from 'zod';
import { budgetProblem, linkProblem, poolBusyProblem } from './check-in.ts';
import { dateTimeSchema } from './date-time.ts';
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
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
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
