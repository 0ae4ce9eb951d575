import { waiverIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import {
  dateTimeSchema,
  deliveryKindSchema,
  deliveryStateSchema,
  noContentSchema,
  pagesOf,
  waiverParamsSchema,
} from './fields.ts';
import { route } from './route.ts';
import { erasedResponse, holdSchema, waiverRecordSchema, waiverVersionSchema } from './waivers.ts';

/** Names a guest: by one record, or by the answer `email`. */
export const erasedGuestSchema = z
  .strictObject({
    waiverId: waiverIdSchema
      .optional()
      .describe(
        'The id of a record of the guest; records that confirm it (`reuseOf`) are included. Omitted if `email` is present.',
      ),
    email: z
      .string()
      .trim()
      .min(1)
      .max(320)
      .optional()
      .describe(
        'The e-mail address of the guest, ignoring case: all records of the pool whose answer `email` is or once was this address.',
      ),
  })
  .refine(
    ({ waiverId, email }) => (waiverId === undefined) !== (email === undefined),
    'either waiverId or email is expected',
  );

const erasureSchema = z
  .object({
    id: z.string(),
    pool: z.string(),
    state: z
      .enum(['telling', 'done'])
      .describe(
        '`telling` while destinations are notified that the records are deleted; `done` when only tombstones are left.',
      ),
    waivers: z.int().describe('The number of records that the erasure covers.'),
    heldWaivers: z
      .array(z.string())
      .describe('The ids of the guest’s records that are on hold and not erased; at most 100.'),
    askedBy: z.string().describe('Who requested the erasure, as in the audit log.'),
    askedAt: dateTimeSchema,
    giveUpAt: dateTimeSchema.describe(
      'When everything is erased even if a destination could not be notified.',
    ),
    doneAt: dateTimeSchema.nullable(),
  })
  .meta({ id: 'Erasure' });

/** The progress of an erasure, as it is stored. */
export type Erasure = Readonly<z.input<typeof erasureSchema>>;

export const createErasure = route.post('/v1/admin/pools/:pool/erasures', {
  config: { access: 'operator', problems: { 409: 'A hold keeps every record of the guest.' } },
  operationId: 'createErasure',
  summary: 'Erase a guest',
  description:
    'Makes the guest’s records inaccessible to everyone immediately and notifies every recipient to delete them; within seven days, only tombstones remain. Records on hold are kept and listed in `heldWaivers`; 409 `waiver_held` if all are on hold. Repeating the request returns the same erasure: always by `waiverId`, and by `email` while the erasure is running.',
  body: erasedGuestSchema,
  response: { 202: erasureSchema },
});

export const listErasures = route.get('/v1/admin/pools/:pool/erasures', {
  config: { access: 'viewer' },
  operationId: 'listErasures',
  summary: 'List the erasures of a pool',
  description: 'Returns the erasures of a pool, newest first.',
  ...pagesOf(erasureSchema),
});

export const readErasure = route.get('/v1/admin/pools/:pool/erasures/:id', {
  config: { access: 'viewer' },
  operationId: 'readErasure',
  summary: 'Read an erasure',
  response: { 200: erasureSchema },
});

const erasedWaiverSchema = z
  .object({
    id: z.string(),
    erasureId: z.string().describe('The id of the erasure that covers the record.'),
    askedBy: z.string().describe('Who requested the erasure, as in the audit log.'),
    askedAt: dateTimeSchema.describe(
      'When the erasure was requested. Since then, the record cannot be read.',
    ),
    erasedAt: dateTimeSchema.nullable().describe('When the data of the record was erased; null until then.'),
  })
  .meta({ id: 'ErasedWaiver' });

/** The tombstone of an erased record, as it is stored: all that is left of it. */
export type ErasedWaiver = Readonly<z.input<typeof erasedWaiverSchema>>;

export const listErasedWaivers = route.get('/v1/admin/pools/:pool/erased-waivers', {
  config: { access: 'viewer' },
  operationId: 'listErasedWaivers',
  summary: 'List the erased waiver records of a pool',
  description: 'Returns the tombstones of the erased records, newest erasure first.',
  ...pagesOf(erasedWaiverSchema),
});

export const exportedDeliverySchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    state: deliveryStateSchema,
    destination: z.string(),
    receiver: z
      .string()
      .nullable()
      .describe(
        'The install name of the booking system, or the URL of the webhook; null if no longer known, as for a removed webhook.',
      ),
    version: z.int(),
    createdAt: dateTimeSchema,
    body: z.unknown(),
    attempts: z.array(
      z.object({
        at: dateTimeSchema,
        outcome: z.string(),
        status: z.int().nullable(),
        errorCode: z.string().nullable(),
        response: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ExportedDelivery' });

/** A message about a guest, sent or pending. */
export type ExportedDelivery = Readonly<z.input<typeof exportedDeliverySchema>>;

const exportedLateSigningSchema = z
  .object({
    id: z.string(),
    reason: z.string(),
    receivedAt: dateTimeSchema,
    signing: z
      .unknown()
      .describe(
        'The signing as received, in the form of the request body of `sign`; null if it cannot be read.',
      ),
  })
  .describe('A signing that arrived late and is waiting for staff to review it.');

const exportedMailSchema = z
  .object({
    sent: z.array(
      z.object({
        id: z.string(),
        bookingSystem: z.string(),
        bookingId: z.string(),
        occasion: z.string(),
        state: z.string(),
        reason: z.string().nullable(),
        createdAt: dateTimeSchema,
        endedAt: dateTimeSchema.nullable(),
      }),
    ),
    copies: z
      .array(
        z.object({
          id: z.string(),
          signing: z.string(),
          state: z.enum(['waiting', 'handing-over', 'sent', 'in-doubt', 'refused', 'left-out']),
          reason: z.string().nullable(),
          createdAt: dateTimeSchema,
          endedAt: dateTimeSchema.nullable(),
        }),
      )
      .describe('Messages with the link to the copy of what was signed.'),
    refused: z.array(
      z.object({
        reason: z.enum(['refused', 'unsubscribed']),
        reply: z.string().nullable(),
        at: dateTimeSchema,
      }),
    ),
  })
  .describe('E-mail to the guest’s address, and refusals of further e-mail by the mail server or the guest.')
  .meta({ id: 'ExportedInvitations' });

const exportSchema = z
  .object({
    pool: z.string(),
    exportedAt: dateTimeSchema,
    waivers: z.array(
      waiverRecordSchema
        .extend({
          hold: holdSchema.nullable(),
          evidence: z
            .looseObject({ format: z.string() })
            .nullable()
            .describe(
              'The record signed on the check-in page, without the data of others who signed together; null if not signed there.',
            ),
          arrivals: z
            .array(z.object({ day: z.iso.date(), arrivedAt: dateTimeSchema }))
            .describe('The guest’s arrivals of the last 30 days, as recorded by staff.'),
          versions: z
            .array(waiverVersionSchema)
            .describe('The versions of the record and their changes, newest first.'),
          deliveries: z.array(exportedDeliverySchema),
        })
        .meta({ id: 'ExportedWaiver' }),
    ),
    lateSignings: z.array(exportedLateSigningSchema),
    invitations: exportedMailSchema,
  })
  .meta({ id: 'GuestExport' });

export const exportGuest = route.get('/v1/admin/pools/:pool/export', {
  // HEAD would read everything and discard it.
  exposeHeadRoute: false,
  config: { access: 'operator', audited: true, problems: erasedResponse },
  operationId: 'exportGuest',
  summary: 'Export everything that is stored about a guest',
  description:
    'Streams one JSON document: each record with its versions and every message about it, with recipient and time. If reading fails midway, the connection is closed before the document is complete.',
  querystring: erasedGuestSchema,
  response: { 200: exportSchema },
});

const newHoldSchema = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .describe('Why the record is on hold. Shown with the record, but not in the audit log.'),
});

export const putWaiverHold = route.put('/v1/admin/pools/:pool/waivers/:id/hold', {
  config: { access: 'operator', problems: erasedResponse },
  operationId: 'putWaiverHold',
  summary: 'Place a hold on a waiver record',
  description:
    'Exempts the record from retention and erasures. Replaces an existing hold. No message is sent.',
  params: waiverParamsSchema,
  body: newHoldSchema,
  response: { 200: holdSchema },
});

export const deleteWaiverHold = route.delete('/v1/admin/pools/:pool/waivers/:id/hold', {
  config: { access: 'operator', problems: erasedResponse },
  operationId: 'deleteWaiverHold',
  summary: 'Release the hold on a waiver record',
  description:
    'An erasure that the hold prevented must be requested again. Retention deletes the record when it is due.',
  params: waiverParamsSchema,
  response: { 204: noContentSchema },
});
