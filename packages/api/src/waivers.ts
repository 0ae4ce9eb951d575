import { bookingGuestIdSchema, bookingIdSchema, maxActivities, waiverIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { changedAnswersSchema, newAnswersSchema } from './answers.ts';
import { bookingReadProblems } from './bookings.ts';
import {
  dateTimeSchema,
  deliveryKindSchema,
  deliveryStateSchema,
  noContentSchema,
  pageQueryFields,
  pageSchema,
  pagesOf,
  redactedSchema,
  timeSchema,
  waiverParamsSchema,
} from './fields.ts';
import { maxSignedGuests, waiverStates } from './names.ts';
import { route } from './route.ts';

/** The response of {@link waiverErased}, for the OpenAPI document. */
export const erasedResponse = { 410: 'The waiver was erased (`waiver_erased`).' };

const versionedFieldNames = [
  'bookingSystem',
  'bookingId',
  'bookingGuestId',
  'activities',
  'lastVisit',
  'currentPage',
  'validUntil',
  'deleted',
] as const;

const answerValue = z.unknown().optional();

export const waiverVersionSchema = z
  .object({
    version: z.int(),
    formerVersion: z
      .int()
      .describe(
        'The version that was replaced; 0 for the first. A move skips one number: the version in between withdrew the waiver from its previous booking or guest.',
      ),
    at: dateTimeSchema,
    actor: z
      .string()
      .optional()
      .describe(
        'Who made the version: `admin-token`, `credential:<id>`, `oidc:<subject>`, `access-token:<id>`, `check-in-link:<id>`, `kiosk:<id>`, `check-in`, or `booking-system:<install name>` if the waiver followed its booking. Absent if unknown.',
      ),
    actorName: z.string().optional(),
    fields: z
      .array(z.object({ field: z.enum(versionedFieldNames), before: z.unknown(), after: z.unknown() }))
      .describe('The changed fields other than answers; empty for the first version.'),
    answers: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum(['added', 'changed', 'removed']),
          before: answerValue,
          after: answerValue,
        }),
      )
      .nullable()
      .describe(
        'The changed answers; empty for the first version. Values are absent once the answer has been removed. null for a viewer.',
      ),
    redacted: redactedSchema,
  })
  .meta({ id: 'WaiverVersion' });

/** A version of a waiver: what it changed, and who made it. */
export type WaiverVersion = Readonly<z.input<typeof waiverVersionSchema>>;

export const listWaiverVersions = route.get('/v1/admin/pools/:pool/waivers/:id/versions', {
  config: { access: 'viewer', audited: true, problems: erasedResponse },
  operationId: 'listWaiverVersions',
  summary: 'List the versions of a waiver with their changes and authors, newest first',
  description: 'Versions from before the service recorded versions are missing.',
  params: waiverParamsSchema,
  ...pagesOf(waiverVersionSchema),
});

const guestField = bookingGuestIdSchema
  .nullable()
  .default(null)
  .describe('The id of the booking’s guest; null or omitted to attach the waiver to the booking only.');

export const waiverBookingSchema = z
  .strictObject({
    bookingSystem: z
      .string()
      .max(100)
      .optional()
      .describe('The booking system’s install name; the pool’s default booking system if omitted.'),
    bookingId: bookingIdSchema,
    bookingGuestId: guestField,
    together: z
      .array(z.strictObject({ id: waiverIdSchema, bookingGuestId: guestField }))
      .max(maxSignedGuests - 1)
      .default([])
      .describe('Further waivers for the same booking, such as those that a family signed together.'),
  })
  .meta({ id: 'WaiverPlace' });

export const holdSchema = z
  .object({
    reason: z.string().nullable().describe('Why the record is on hold; null for a viewer.'),
    by: z.string().describe('Who placed the hold, as in the audit log.'),
    at: dateTimeSchema,
  })
  .meta({ id: 'Hold' });

export const waiverRecordSchema = z
  .object({
    id: z.string(),
    pool: z.string(),
    bookingSystem: z.string().nullable(),
    bookingId: z.string().nullable(),
    bookingGuestId: z.string().nullable(),
    activities: z.array(z.string()),
    lastVisit: dateTimeSchema,
    currentPage: z
      .string()
      .nullable()
      .describe('Current step of a multi-step waiver; null once the waiver is finished.'),
    answers: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The guest’s answers by property name; null for a viewer, and for an access token that may only write.',
      ),
    validUntil: z.iso
      .date()
      .nullable()
      .describe(
        'Last day on which a waiver signed on the check-in page is valid, in the pool’s time zone; null if it does not expire, or was stored through this API.',
      ),
    reuseOf: z
      .string()
      .nullable()
      .describe(
        'Id of the waiver that the returning guest confirmed instead of signing again; null otherwise.',
      ),
    deleted: z.boolean().describe('Whether the waiver was voided.'),
    createdAt: dateTimeSchema,
    updatedAt: dateTimeSchema.describe('The time of the last stored change; strictly increasing per record.'),
    version: z.int().describe('The number of stored changes.'),
  })
  .extend({ redacted: redactedSchema })
  .meta({ id: 'WaiverRecord' });

export const putWaiverBooking = route.put('/v1/admin/pools/:pool/waivers/:id/booking', {
  config: {
    access: 'operator',
    problems: {
      ...erasedResponse,
      ...bookingReadProblems,
      409: 'The guest has already signed another waiver (`guest_signed`), the booking was cancelled (`booking_cancelled`), a waiver was voided (`waiver_voided`) or expires before the booking’s last session (`waiver_expired`), several booking systems are installed and the request specifies none, or the booking system is not configured.',
    },
  },
  operationId: 'putWaiverBooking',
  summary: 'Attach a waiver to a booking or one of its guests, or move it there',
  description:
    'Attaches all of the waivers or none. Guest Updates announce the change and withdraw the waiver from its previous booking or guest; the evidence of a signing gets a correction. A waiver that is already attached there does not change.',
  params: waiverParamsSchema,
  body: waiverBookingSchema,
  response: { 200: z.object({ waivers: z.array(waiverRecordSchema) }) },
});

export const deleteWaiverBooking = route.delete('/v1/admin/pools/:pool/waivers/:id/booking', {
  config: { access: 'operator', problems: { ...erasedResponse, 409: 'The waiver was voided.' } },
  operationId: 'deleteWaiverBooking',
  summary: 'Detach a waiver from its booking',
  description:
    'The waiver is kept as a walk-in’s waiver. The booking system is notified that the waiver was withdrawn from the booking.',
  params: waiverParamsSchema,
  response: { 204: noContentSchema },
});

const waiverFields = {
  bookingSystem: z.string().nullish().describe('Install name; the pool’s default booking system if omitted.'),
  bookingId: bookingIdSchema.nullish(),
  bookingGuestId: bookingGuestIdSchema.nullish().describe('The guest’s id as in the booking.'),
  activities: z
    .array(z.string().min(1).max(256))
    .max(maxActivities)
    .optional()
    .describe('Activity ids of the sessions the guest checks in to.'),
  lastVisit: timeSchema
    .nullish()
    .describe('Date-time of the guest’s activities; if omitted, the start of the earliest booked session.'),
  currentPage: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe('Current step of a multi-step waiver; null once the waiver is finished.'),
};

/** The body of a change to a waiver: omitted fields are kept, null removes a value. */
export const changedWaiverSchema = z.strictObject({
  ...waiverFields,
  answers: changedAnswersSchema.optional(),
});

export const changeWaiver = route.patch('/v1/pools/:pool/waivers/:id', {
  config: {
    access: 'waivers:write',
    problems: {
      ...erasedResponse,
      409: 'The waiver was voided, or several booking systems are installed and none is named; `code` says which.',
      429: 'Too many calls with a wrong token from this address, or the request bodies in progress for this pool are too large in total (`pool_busy`). See Retry-After.',
    },
  },
  operationId: 'changeWaiver',
  tags: ['Waivers'],
  summary: 'Change a waiver record',
  description:
    'Omitted fields stay as they are; null removes a value. Answers are merged. Returns 409 for a voided waiver.',
  params: waiverParamsSchema,
  body: changedWaiverSchema,
  response: { 200: waiverRecordSchema },
});

export const newWaiverSchema = z.strictObject({
  id: waiverIdSchema.optional().describe('Unique across all pools; a UUIDv7 if omitted.'),
  ...waiverFields,
  answers: newAnswersSchema,
});

export const createWaiver = route.post('/v1/pools/:pool/waivers', {
  config: {
    access: 'waivers:write',
    problems: {
      ...erasedResponse,
      409: 'Another waiver has this id, or several booking systems are installed and none is named; `code` says which.',
      429: 'Too many calls with a wrong token from this address, or the request bodies in progress for this pool are too large in total (`pool_busy`). See Retry-After.',
    },
  },
  operationId: 'createWaiver',
  tags: ['Waivers'],
  summary: 'Accept a signed waiver',
  body: newWaiverSchema,
  response: {
    200: waiverRecordSchema.describe('The waiver already existed, with the same content.'),
    201: waiverRecordSchema,
  },
});

const maxWaitSeconds = 30;

const changesQuerySchema = z.strictObject({
  after: pageQueryFields.cursor.describe(
    'The `next` of the previous page; omitted to start from the beginning.',
  ),
  limit: pageQueryFields.limit,
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(maxWaitSeconds)
    .default(0)
    .describe('Seconds to wait for a change before returning an empty page.'),
});

const listedChangeSchema = waiverRecordSchema
  .extend({
    erased: z
      .literal(true)
      .optional()
      .describe('Present if the record was erased: delete your copies as well.'),
  })
  .meta({ id: 'ChangedWaiver' });

export const listChanges = route.get('/v1/pools/:pool/changes', {
  config: { access: 'waivers:list', audited: true },
  operationId: 'listChanges',
  tags: ['Waivers'],
  summary: 'Follow the changes of waiver records, without gaps',
  description:
    'Returns changed records in their current versions, in the order of their last changes. A record that changed several times since the previous page appears once. `next` is always present: pass it as `after` in the next request, even after an empty page.',
  querystring: changesQuerySchema,
  response: { 200: z.object({ items: z.array(listedChangeSchema), next: z.string() }) },
});

/** The maximum length of a search's text, in UTF-16 code units. */
const searchMaxLength = 200;

const waiversQuerySchema = z
  .strictObject({
    search: z
      .string()
      .trim()
      .min(1)
      .max(searchMaxLength)
      .optional()
      .describe(
        'Finds waivers by waiver id, booking id, the beginning of the e-mail address, or the name: each search word must begin a word of the name. Not for viewers.',
      ),
    bookingId: bookingIdSchema.optional(),
    state: z
      .enum(waiverStates)
      .optional()
      .describe(
        '`unfinished`: at a step before the last. `signed`: neither unfinished nor voided. `held`: kept by a hold, in any of the other states; not for access tokens.',
      ),
    updatedSince: timeSchema.optional().describe('Only records changed at or after this date-time.'),
    order: z
      .enum(['oldest', 'newest'])
      .optional()
      .describe(
        'Whether the oldest or the newest change is first; the oldest if omitted. Cannot be combined with `search`, which has its own order.',
      ),
    ...pageQueryFields,
  })
  .refine(({ search, order }) => search === undefined || order === undefined, {
    path: ['order'],
    error: 'does not go with search, which has its own order',
  });

export const listWaivers = route.get('/v1/pools/:pool/waivers', {
  config: { access: 'waivers:list', audited: true },
  operationId: 'listWaivers',
  tags: ['Waivers'],
  summary: 'List waiver records by their last change, or search them',
  description:
    'A page may have fewer items than `limit`, or none, and still have a `next`. For each page, a search examines only a limited part of a large pool.',
  querystring: waiversQuerySchema,
  response: {
    200: pageSchema(waiverRecordSchema),
  },
});

export const waiverDeliverySchema = z.object({
  id: z.string(),
  kind: deliveryKindSchema,
  state: deliveryStateSchema,
  destination: z.string(),
  version: z.int(),
  bookingId: z.string().optional(),
  attempts: z.int(),
  nextAttemptAt: dateTimeSchema.optional(),
  lastErrorCode: z.string().optional(),
});

/** The state of a record's delivery. */
export type WaiverDelivery = Readonly<z.input<typeof waiverDeliverySchema>>;

const waiverSigningSchema = z.object({
  id: z.string(),
  form: z.string(),
  formName: z.string(),
  formVersion: z.int(),
  language: z.string(),
  receivedAt: dateTimeSchema,
  isSealed: z.boolean().describe('Whether the signing has been added to the pool’s evidence chain.'),
  flags: z.array(z.string()).nullable().describe('Labels of flagged answers, for staff; null for viewers.'),
});

/** The signing that a waiver came from. */
export type SigningOfWaiver = Readonly<z.input<typeof waiverSigningSchema>>;

export const readWaiver = route.get('/v1/pools/:pool/waivers/:id', {
  config: { access: 'waivers:read', audited: true, problems: erasedResponse },
  operationId: 'readWaiver',
  tags: ['Waivers'],
  summary: 'Read a waiver record and the states of its deliveries',
  params: waiverParamsSchema,
  response: {
    200: waiverRecordSchema.extend({
      deliveries: z.array(waiverDeliverySchema),
      hold: holdSchema
        .optional()
        .describe('The hold that protects the record from retention and erasure; omitted for access tokens.'),
      signing: waiverSigningSchema
        .optional()
        .describe(
          'The signing that created the record, if it was signed on the check-in page; omitted for access tokens.',
        ),
    }),
  },
});

export const voidWaiver = route.post('/v1/pools/:pool/waivers/:id/void', {
  config: { access: 'waivers:write', problems: erasedResponse },
  operationId: 'voidWaiver',
  tags: ['Waivers'],
  summary: 'Void a waiver',
  params: waiverParamsSchema,
  response: { 200: waiverRecordSchema },
});
