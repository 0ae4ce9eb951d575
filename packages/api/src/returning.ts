import { bookingGuestIdSchema, utcDateTimeSchema } from '@waiver-service/core';
import { type ShownPage, signingLimits } from '@waiver-service/forms';
import { z } from 'zod';
import { linkProblem, poolBusyProblem } from './check-in.ts';
import { dateTimeSchema } from './fields.ts';
import { route } from './route.ts';
import { signingAnswerSchema } from './signings.ts';

const linkProblems = {
  401: linkProblem,
};

/** A guest's e-mail address. */
const emailSchema = z.email().max(254);

export const askForCode = route.post('/check-in/api/returning/codes', {
  config: {
    access: 'check-in-link',
    problems: {
      ...linkProblems,
      409: 'The host has no mail server (`no_mail`).',
      429: `Too many codes were requested for the e-mail address, with the link, or from the IP address (\`too_many_codes\`). ${poolBusyProblem}`,
    },
  },
  operationId: 'askForCode',
  tags: ['Check-in'],
  summary: 'Request a code by e-mail, to confirm what was signed before',
  description:
    'Mails a six-digit code, which works for ten minutes, if anything valid was signed with the address. The response is the same whether or not the address is known.',
  body: z.strictObject({ email: emailSchema, language: z.string().min(1).max(40) }),
  response: {
    202: z.object({ id: z.string() }).describe('The `id` identifies the code in `exchangeCode`.'),
  },
});

export const exchangeCode = route.post('/check-in/api/returning/proofs', {
  config: {
    access: 'check-in-link',
    problems: {
      ...linkProblems,
      403: 'The code is wrong (`code_wrong`); or it has expired, was already used, or was wrong five times (`code_ended`).',
      429: poolBusyProblem,
    },
  },
  operationId: 'exchangeCode',
  tags: ['Check-in'],
  summary: 'Exchange a mailed code for a proof of the e-mail address',
  body: z.strictObject({
    id: z.uuid().describe('The `id` that `askForCode` returned.'),
    email: emailSchema,
    code: z.string().regex(/^\d{6}$/, 'has six digits'),
  }),
  response: { 201: z.object({ proof: z.string(), expiresAt: dateTimeSchema }) },
});

/** How a returning guest identifies themselves; both are omitted on a link to one guest. */
const proofFields = {
  email: emailSchema.optional().describe('The e-mail address that was proven with a code.'),
  proof: z
    .string()
    .max(100)
    .optional()
    .describe('The proof that `exchangeCode` returned. If omitted, the guest is identified by the link.'),
};

const confirmedAnswersSchema = z.record(z.string(), z.unknown());

export const returningPersonSchema = z.object({
  waiver: z.string().describe('The id of the waiver that the person may confirm.'),
  signing: z
    .string()
    .describe('The id of the earlier signing. Only people of the same signing can be confirmed together.'),
  name: z.string().nullable(),
  isMinor: z.boolean(),
  isSigner: z.boolean(),
  isGuestOfLink: z
    .boolean()
    .describe(
      'On a link to one guest: whether the name identifies the person as that guest; false on other links.',
    ),
  signedOn: z.iso.date().describe('Date of the earlier signing, in the time zone of the pool.'),
  validUntil: z.iso.date(),
  form: z.object({ name: z.string(), version: z.int() }),
  answers: confirmedAnswersSchema.describe(
    'Earlier answers, by the item ids of the form to sign now; never health answers.',
  ),
  signerAnswers: confirmedAnswersSchema.describe(
    'Earlier answers to the questions that are asked once per signing, by item id.',
  ),
  questions: z.object({
    text: z.string(),
    guardianText: z.string().describe('Shown instead of `text` if a minor is among the people to confirm.'),
    health: z
      .string()
      .nullable()
      .describe(
        'The question whether health answers have changed; null if the form does not ask about health.',
      ),
  }),
});

const problems = {
  401: linkProblem,
  403: 'The e-mail address is not proven, or the proof has expired (`proof_ended`).',
  409: 'The booking was cancelled (`booking_cancelled`).',
  429: poolBusyProblem,
};

const shownSchema = z.custom<readonly ShownPage[]>().meta({ type: 'array', items: { type: 'object' } });

export const listReturningPeople = route.post('/check-in/api/returning/people', {
  config: { access: 'check-in-link', problems },
  operationId: 'listReturningPeople',
  tags: ['Check-in'],
  summary: 'List the people who may confirm what was signed for them before',
  description:
    'Returns the people whose waivers have the proven address. Without a proof, on a link to one guest, returns that guest if the booking has the guest’s address.',
  body: z.strictObject({ language: z.string().min(1).max(40), ...proofFields }),
  response: { 200: z.object({ people: z.array(returningPersonSchema) }) },
});

export const readSignedText = route.post('/check-in/api/returning/text', {
  config: {
    access: 'check-in-link',
    problems: {
      ...problems,
      409: 'The guest must sign again (`sign_again`), or the booking was cancelled (`booking_cancelled`).',
    },
  },
  operationId: 'readSignedText',
  tags: ['Check-in'],
  summary: 'Read the text that a returning guest signed before',
  description: 'Returns the text as it was shown at the time, without answers.',
  body: z.strictObject({ waiver: z.string().max(256), ...proofFields }),
  response: { 200: z.object({ language: z.string(), pages: shownSchema }) },
});

const reusedPersonSchema = z.strictObject({
  waiver: z.string().min(1).max(256).describe('The id of the waiver to confirm.'),
  bookingGuestId: bookingGuestIdSchema.optional(),
});

export const reuseSchema = z.strictObject({
  id: z.uuid().describe('Generated on the device. Repeated requests with the same id are stored once.'),
  language: z.string().min(1).max(40),
  people: z
    .array(reusedPersonSchema)
    .min(1)
    .max(signingLimits.guests)
    .refine(
      (people) => new Set(people.map(({ waiver }) => waiver)).size === people.length,
      'name a waiver twice',
    )
    .refine((people) => {
      const ids = people.flatMap(({ bookingGuestId }) => bookingGuestId ?? []);
      return new Set(ids).size === ids.length;
    }, 'have a bookingGuestId twice')
    .describe('The people to confirm, all from the same earlier signing.'),
  healthUnchanged: z
    .literal(true)
    .optional()
    .describe(
      'Required if the form asks about health: states that no health answer has changed. If one has, the guest must sign again.',
    ),
  times: z
    .strictObject({
      openedAt: utcDateTimeSchema,
      confirmedAt: utcDateTimeSchema,
      translatedAt: utcDateTimeSchema.optional(),
    })
    .describe(
      'Times of opening the page, of confirming and, if the browser translated the page, of first seeing it translated, by the device’s clock.',
    ),
  ...proofFields,
});

export const confirmSigned = route.post('/check-in/api/reuses', {
  config: {
    access: 'check-in-link',
    problems: {
      401: linkProblem,
      403: 'The e-mail address is not proven, or the proof has expired (`proof_ended`); or the link does not cover a guest, or the name of the person confirmed as the link’s guest shows someone else (`guest_not_of_link`).',
      409: 'The guest must sign again (`sign_again`): the earlier signing was voided or erased, has expired, or does not fit the visit. Also `already_signed`, `signing_exists`, `waiver_voided`, `booking_cancelled`.',
      429: poolBusyProblem,
    },
  },
  operationId: 'confirmSigned',
  tags: ['Check-in'],
  summary: 'Confirm what was signed before, instead of signing again',
  description:
    'Stores a waiver for each guest, with the answers, flags and last valid day of the earlier one, and a sealed record of the confirmation; the booking system is notified afterwards. All guests must be from one earlier signing. Idempotent by `id`.',
  body: reuseSchema,
  response: {
    200: signingAnswerSchema.describe('The confirmation was already stored, with the same content.'),
    201: signingAnswerSchema,
  },
});
