import { bookingIdSchema } from '@waiver-service/core';
import { signingSchema } from '@waiver-service/forms';
import { z } from 'zod';
import { poolBusyProblem, sealingSchema } from './check-in.ts';
import { dateTimeSchema, noContentSchema, pagesOf, timeSchema } from './fields.ts';
import { publishedFormSchema } from './forms.ts';
import { route } from './route.ts';
import { maxSigningBytes, signingAnswers } from './signings.ts';

const formIndex = z
  .int()
  .nullable()
  .describe('Zero-based position in `forms`; null if there is nothing to sign.');

/** Lets a tablet check its staff's PIN, even offline. */
export const pinVerifierSchema = z.object({
  salt: z.string().describe('Salt of the PIN’s hash, base64url.'),
  iterations: z.int().describe('Iterations of PBKDF2 with SHA-256.'),
  hash: z.string().describe('Hash of the PIN, base64url of 32 bytes.'),
});

export const kioskDaySchema = z
  .object({
    pool: z.object({ name: z.string() }),
    kiosk: z.object({ name: z.string(), returnAfterS: z.int(), pin: pinVerifierSchema }),
    date: z.iso.date(),
    timeZone: z.string(),
    sealing: sealingSchema,
    forms: z.array(publishedFormSchema),
    walkInForm: formIndex,
    bookings: z.array(
      z.object({
        bookingSystem: z.string(),
        bookingId: z.string(),
        reference: z.string(),
        sessions: z.array(
          z.object({
            startsAt: z.string(),
            activityId: z.string().optional(),
            activityName: z.string().optional(),
          }),
        ),
        activities: z.array(z.string()),
        form: formIndex,
        guests: z.array(
          z.object({
            bookingGuestId: z.string(),
            label: z.string().describe('First name and last initial; empty if the guest has no name.'),
            signed: z.boolean(),
          }),
        ),
        expected: z.int(),
        signed: z.int(),
      }),
    ),
  })
  .meta({ id: 'KioskDay' });

const unauthorized = {
  401: 'The tablet is not paired (`kiosk_unknown`), or its kiosk was revoked (`kiosk_revoked`).',
  429: 'Too many wrong credentials from this address. See Retry-After.',
};

export const pairKiosk = route.post('/check-in/api/kiosk/pair', {
  config: {
    access: 'check-in-link',
    problems: {
      401: 'The code is unknown, has expired or was already used (`pairing_code_wrong`).',
      429: 'Too many wrong codes from this address. See Retry-After.',
    },
  },
  operationId: 'pairKiosk',
  tags: ['Check-in'],
  summary: 'Pair a tablet with a code from the console',
  description: 'Returns a credential that is valid only for this kiosk’s routes and is shown only here.',
  body: z.strictObject({ code: z.string().min(1).max(40) }),
  response: { 200: z.object({ token: z.string() }) },
});

const waitingSchema = z.strictObject({
  waiting: z.int().min(0).max(100_000),
  waitingSince: timeSchema.nullable(),
});

export const readKioskDay = route.put('/check-in/api/kiosk/day', {
  config: { access: 'check-in-link', problems: { ...unauthorized, 429: poolBusyProblem } },
  operationId: 'readKioskDay',
  tags: ['Check-in'],
  summary: 'Report how many signings wait on the kiosk, and read its day',
  description: 'Returns today’s bookings with the guests’ first names and last initials, and the forms.',
  body: waitingSchema,
  response: { 200: kioskDaySchema },
});

export const signAtKiosk = route.post('/check-in/api/kiosk/signings', {
  config: {
    access: 'check-in-link',
    problems: {
      ...unauthorized,
      403: 'A `bookingGuestId` is not of a guest of the booking (`guest_not_of_link`).',
      413: 'The signing is larger than 4 MiB, or the answers of a guest are larger than 256 KiB.',
      429: poolBusyProblem,
    },
  },
  bodyLimit: maxSigningBytes,
  operationId: 'signAtKiosk',
  tags: ['Check-in'],
  summary: 'Sign at a kiosk, for a booking or without one',
  description: 'Works like `sign`, but takes the credential of the kiosk as the bearer token.',
  body: z.strictObject({
    booking: z.strictObject({ bookingSystem: z.string().max(100), bookingId: bookingIdSchema }).optional(),
    signing: signingSchema,
  }),
  response: signingAnswers,
});

/** A PIN that staff type on the tablet. */
const pinSchema = z.string().regex(/^\d{4,12}$/, 'must be 4 to 12 digits');

const nameSchema = z.string().trim().min(1).max(100);

const returnSchema = z
  .int()
  .min(15)
  .max(900)
  .describe(
    'Seconds without a touch until the kiosk returns to its first screen. A new kiosk has 60 by default.',
  );

const kioskSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    returnAfterS: z.int(),
    createdAt: dateTimeSchema,
    createdBy: z.string(),
    pairedAt: dateTimeSchema.nullable().describe('When a tablet was last paired; null if none has been.'),
    lastSeenAt: dateTimeSchema.nullable(),
    waiting: z.int().describe('Number of signings waiting on the tablet, as last reported by the tablet.'),
    waitingSince: dateTimeSchema.nullable(),
  })
  .meta({ id: 'Kiosk' });

/** A kiosk, as it is stored. */
export type Kiosk = Readonly<z.input<typeof kioskSchema>>;

const codeSchema = {
  code: z.string().describe('The pairing code to type on the tablet. Works once, and is shown only here.'),
  codeExpiresAt: dateTimeSchema,
  url: z.url().describe('The address to open on the tablet.'),
};

export const createKiosk = route.post('/v1/admin/pools/:pool/kiosks', {
  config: {
    access: 'operator',
    problems: { 409: 'The pool already has 100 kiosks, the maximum (`too_many_kiosks`).' },
  },
  operationId: 'createKiosk',
  tags: ['Check-in'],
  summary: 'Create a kiosk and a code to pair a tablet with',
  body: z.strictObject({ name: nameSchema, pin: pinSchema, returnAfterS: returnSchema.optional() }),
  response: { 201: z.object({ id: z.string(), ...codeSchema }) },
});

export const listKiosks = route.get('/v1/admin/pools/:pool/kiosks', {
  config: { access: 'viewer' },
  operationId: 'listKiosks',
  tags: ['Check-in'],
  summary: 'List the kiosks of a pool, and how many signings wait on each',
  ...pagesOf(kioskSchema),
});

export const changeKiosk = route.patch('/v1/admin/pools/:pool/kiosks/:id', {
  config: { access: 'operator' },
  operationId: 'changeKiosk',
  tags: ['Check-in'],
  summary: 'Change the name, PIN or idle time of a kiosk',
  description: 'A tablet that is offline gets the change when it is online again.',
  body: z.strictObject({
    name: nameSchema.optional(),
    pin: pinSchema.optional(),
    returnAfterS: returnSchema.optional(),
  }),
  response: { 200: kioskSchema },
});

export const makePairingCode = route.post('/v1/admin/pools/:pool/kiosks/:id/pairing-code', {
  config: { access: 'operator' },
  operationId: 'makePairingCode',
  tags: ['Check-in'],
  summary: 'Create a new pairing code for a kiosk, for the same tablet or another',
  description: 'The previously paired tablet works until the code is used.',
  response: { 201: z.object(codeSchema) },
});

export const revokeKiosk = route.delete('/v1/admin/pools/:pool/kiosks/:id', {
  config: { access: 'operator' },
  operationId: 'revokeKiosk',
  tags: ['Check-in'],
  summary: 'Revoke a kiosk immediately',
  description:
    'Signings waiting on the tablet are not lost: they are listed as late signings when they arrive.',
  response: { 204: noContentSchema },
});
