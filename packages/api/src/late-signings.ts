import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import { signingLimits } from '@waiver-service/forms';
import { z } from 'zod';
import { dateTimeSchema } from './date-time.ts';
import { noContentSchema, redactedSchema } from './fields.ts';
import { pageQuerySchema, pageSchema } from './pages.ts';
import { poolIdPathSchema, poolPathSchema } from './paths.ts';
import { route } from './route.ts';
import { signingAnswerSchema } from './signings.ts';

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
  params: poolPathSchema,
  querystring: pageQuerySchema,
  response: { 200: pageSchema(lateSigningSchema) },
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
  params: poolIdPathSchema,
  body: acceptedLateSigningSchema,
  response: { 201: signingAnswerSchema },
});

export const deleteLateSigning = route.delete('/v1/admin/pools/:pool/late-signings/:id', {
  config: { access: 'operator' },
  operationId: 'deleteLateSigning',
  tags: ['Check-in'],
  summary: 'Delete a late signing that is not needed',
  params: poolIdPathSchema,
  response: { 204: noContentSchema },
});
