import { bookingGuestIdSchema, bookingIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { dateTimeSchema, noContentSchema, pagesOf, redactedSchema, waiverParamsSchema } from './fields.ts';
import { route } from './route.ts';
import { waiverRecordSchema } from './waivers.ts';

export const unmatchedWaiverSchema = z
  .object({
    waiverId: z.string(),
    name: z
      .string()
      .nullable()
      .describe('The guest’s name, from the answer `name`; null if there is none, and for a viewer.'),
    bookingSystem: z.string(),
    bookingId: z.string(),
    bookingGuestId: z.string().nullable(),
    reason: z
      .enum(['guest_gone', 'booking_gone'])
      .describe(
        'Why the waiver is listed. `guest_gone`: the booking no longer has the guest `bookingGuestId`, and no other guest clearly matches. `booking_gone`: the booking system no longer has the booking.',
      ),
    since: dateTimeSchema,
    proposals: z
      .array(
        z.object({ bookingGuestId: z.string(), name: z.string().optional(), email: z.string().optional() }),
      )
      .nullable()
      .describe(
        'The booking’s guests without a waiver, most likely match first, at most 20; null for a viewer.',
      ),
    redacted: redactedSchema,
  })
  .meta({ id: 'UnmatchedWaiver' });

/** A waiver that a person must look at. */
export type UnmatchedWaiver = Readonly<z.input<typeof unmatchedWaiverSchema>>;

const attachBodySchema = z.strictObject({
  bookingId: bookingIdSchema
    .optional()
    .describe('The id of the booking; the waiver’s current booking if omitted.'),
  bookingGuestId: bookingGuestIdSchema
    .nullable()
    .describe('The id of the booking’s guest; null to attach the waiver to the booking only.'),
});

export const listUnmatchedWaivers = route.get('/v1/admin/pools/:pool/unmatched-waivers', {
  config: { access: 'viewer', audited: true },
  operationId: 'listUnmatchedWaivers',
  summary: 'List the waivers whose guest or booking no longer exists, longest listed first',
  ...pagesOf(unmatchedWaiverSchema),
});

export const attachUnmatchedWaiver = route.post('/v1/admin/pools/:pool/unmatched-waivers/:id/attach', {
  config: { access: 'operator', problems: { 409: 'The waiver was voided.' } },
  operationId: 'attachUnmatchedWaiver',
  summary: 'Attach an unmatched waiver to a guest of its booking, or to another booking',
  description:
    'Changes the waiver and sends it like any other change, but does not withdraw it from the guest or booking that no longer exists.',
  params: waiverParamsSchema,
  body: attachBodySchema,
  response: { 200: waiverRecordSchema },
});

export const dismissUnmatchedWaiver = route.delete('/v1/admin/pools/:pool/unmatched-waivers/:id', {
  config: { access: 'operator' },
  operationId: 'dismissUnmatchedWaiver',
  summary: 'Dismiss an unmatched waiver until its guest or booking changes',
  params: waiverParamsSchema,
  response: { 204: noContentSchema },
});
