import { outboundErrorCodes, poolIdSchema, waiverIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import {
  dateTimeSchema,
  deliveryKindSchema,
  deliveryStateSchema,
  pageQueryFields,
  pageSchema,
  pagesOf,
  redactedSchema,
  timeSchema,
} from './fields.ts';
import { maxCounted } from './names.ts';
import { route } from './route.ts';

/** The installation or webhook of a destination; absent once that is removed. */
export const destinationOwnerFields = {
  bookingSystem: z.string().optional().describe('The install name, if the destination is an installation.'),
  webhook: z
    .object({ id: z.string(), url: z.string() })
    .optional()
    .describe('The id and URL of the webhook, if the destination is a webhook.'),
};

export const destinationSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    pool: z.string(),
    ...destinationOwnerFields,
    status: z.enum(['active', 'paused', 'closed']),
    installationStatus: z
      .enum(['active', 'pending', 'needs_attention'])
      .optional()
      .describe('The status of the installation, if the destination is an installation.'),
    consecutiveFailures: z.int(),
    firstFailureAt: dateTimeSchema.optional(),
    lastErrorCode: z
      .string()
      .optional()
      .describe('Why the last attempt failed, while the destination fails.'),
    heldUntil: dateTimeSchema
      .optional()
      .describe(
        'The time until which nothing is sent, because of a `Retry-After` or a lost authorization, unless the destination is resumed.',
      ),
    waiting: z.int().describe('The number of waiting messages.'),
    oldestWaitingAt: dateTimeSchema.optional(),
  })
  .meta({ id: 'Destination' });

/** The state of a destination. */
export type DestinationItem = Readonly<z.input<typeof destinationSchema>>;

export const listDestinations = route.get('/v1/admin/destinations', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'listDestinations',
  summary: 'List destinations and how many messages wait for each',
  ...pagesOf(destinationSchema),
});

export const pauseDestination = route.post('/v1/admin/destinations/:id/pause', {
  config: { access: 'operator', poolCheck: 'destination' },
  operationId: 'pauseDestination',
  summary: 'Pause sending to a destination; its waiting messages are kept',
  response: { 200: destinationSchema },
});

export const resumeDestination = route.post('/v1/admin/destinations/:id/resume', {
  config: { access: 'operator', poolCheck: 'destination' },
  operationId: 'resumeDestination',
  summary: 'Resume sending to a destination',
  response: { 200: destinationSchema },
});

export const deliveryItemSchema = z
  .object({
    id: z.string(),
    kind: deliveryKindSchema,
    state: deliveryStateSchema,
    pool: z.string(),
    destination: z.string(),
    ...destinationOwnerFields,
    waiverId: z.string(),
    guestName: z
      .string()
      .nullable()
      .describe('The guest’s current name; null if not answered or erased, and for a viewer.'),
    bookingId: z
      .string()
      .optional()
      .describe(
        'The id of the booking that a Guest Update is for; for other deliveries, of the waiver’s booking.',
      ),
    version: z.int(),
    createdAt: dateTimeSchema,
  })
  .meta({ id: 'Delivery' });

/** One delivery of a list. */
export type DeliveryItem = Readonly<z.input<typeof deliveryItemSchema>>;

const warningsSchema = z.array(
  z
    .object({
      code: z.string(),
      path: z.string().optional(),
      message: z.string(),
    })
    .meta({ id: 'DeliveryWarning' }),
);

export const attemptSchema = z
  .object({
    at: dateTimeSchema,
    durationMs: z.int(),
    outcome: z.string(),
    status: z.int().optional(),
    errorCode: z.string().optional(),
    response: z
      .string()
      .nullish()
      .describe(
        'The beginning of the response, without secrets. Present only for failed attempts; null for a viewer.',
      ),
    warnings: warningsSchema
      .optional()
      .describe('Warnings about parts of the waiver that the booking system did not write; at most 50.'),
    trigger: z.string(),
  })
  .meta({ id: 'Attempt' });

/** One attempt. */
export type AttemptItem = Readonly<z.input<typeof attemptSchema>>;

export const deliveryDetailSchema = deliveryItemSchema
  .extend({
    body: z
      .unknown()
      .describe('The body as sent or to be sent, created when the waiver changed; null for a viewer.'),
    redacted: redactedSchema,
    nextAttemptAt: dateTimeSchema
      .optional()
      .describe(
        'When the next attempt is due, if the delivery is pending. Earlier messages of the same lane may delay the attempt.',
      ),
    reason: z
      .string()
      .optional()
      .describe('Why the delivery was cancelled, if the booking system cannot store any part of the waiver.'),
    warnings: warningsSchema.describe('The warnings of the last attempt about fields that were not written.'),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'DeliveryDetail' });

/** One delivery with its body and its attempts. */
export type DeliveryDetail = Readonly<z.input<typeof deliveryDetailSchema>>;

const deliveriesQuerySchema = z.strictObject({
  pool: poolIdSchema.optional(),
  kind: z
    .enum(deliveryKindSchema.options)
    .optional()
    .describe(
      'The kind of the deliveries. If omitted, Guest Updates and guest webhooks; with `destination`, all kinds.',
    ),
  state: deliveryStateSchema.optional(),
  destination: z.string().min(1).max(100).optional(),
  waiverId: waiverIdSchema.optional(),
  errorCode: z.enum(outboundErrorCodes).optional().describe('The error code of a failed attempt.'),
  status: z.coerce
    .number()
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('The status of the response to a failed attempt.'),
  since: timeSchema.optional().describe('Only deliveries created at or after this date-time.'),
  until: timeSchema.optional().describe('Only deliveries created before this date-time.'),
  ...pageQueryFields,
});

/** The filter of a list of deliveries: of all pools if none are given. */
export interface DeliveryFilter
  extends Omit<z.output<typeof deliveriesQuerySchema>, 'pool' | 'limit' | 'cursor'> {
  readonly pools?: readonly string[] | undefined;
}

export const listDeliveries = route.get('/v1/admin/deliveries', {
  config: { access: 'viewer', poolCheck: 'by-handler', audited: true },
  operationId: 'listDeliveries',
  summary: 'List deliveries',
  description:
    'Returns deliveries, newest first. With `errorCode` or `status`, a page examines at most 1,000 deliveries with a matching attempt: it may have fewer items than `limit`, or none, even if there is a next page.',
  querystring: deliveriesQuerySchema,
  response: { 200: pageSchema(deliveryItemSchema) },
});

export const readDelivery = route.get('/v1/admin/deliveries/:id', {
  config: { access: 'viewer', poolCheck: 'delivery', audited: true },
  operationId: 'readDelivery',
  summary: 'Read a delivery, its body and its attempts',
  response: { 200: deliveryDetailSchema },
});

const laneItemSchema = deliveryItemSchema.extend({ nextAttemptAt: dateTimeSchema }).meta({ id: 'LaneItem' });

export const laneSideSchema = z
  .object({
    count: z
      .int()
      .describe(`The number of waiting deliveries on this side; counting stops at ${maxCounted}.`),
    items: z
      .array(laneItemSchema)
      .describe('The nearest deliveries, at most ten, in the order in which they are sent.'),
  })
  .meta({ id: 'LaneSide' });

/** The waiting deliveries on one side of a delivery. */
export type LaneSide = Readonly<z.input<typeof laneSideSchema>>;

export const laneSchema = z
  .object({
    orderedBy: z.enum(['waiver', 'booking']),
    key: z.string().describe('The id of the waiver or booking whose messages are sent in order.'),
    waiting: z.boolean().describe('Whether the delivery itself is still waiting.'),
    before: laneSideSchema,
    after: laneSideSchema,
  })
  .meta({ id: 'Lane' });

/** The lane of a delivery: the deliveries before and after it, which are sent one at a time. */
export type Lane = Readonly<z.input<typeof laneSchema>>;

export const readLane = route.get('/v1/admin/deliveries/:id/lane', {
  config: { access: 'viewer', poolCheck: 'delivery', audited: true },
  operationId: 'readLane',
  summary: 'Read the deliveries waiting before and after a delivery',
  description:
    'Returns the lane of a delivery: the messages of one waiver or booking to one destination, which are sent one at a time, in order.',
  response: { 200: laneSchema },
});

export const retryDelivery = route.post('/v1/admin/deliveries/:id/retry', {
  config: {
    access: 'operator',
    poolCheck: 'delivery',
    problems: { 409: 'The installation or the webhook that the delivery was for has been removed.' },
  },
  operationId: 'retryDelivery',
  summary: 'Send a delivery again',
  description:
    'If a delivery of a newer version of the waiver to the same destination and booking exists, the newest is retried instead. `deliveryId` is the delivery that is retried.',
  response: { 202: z.object({ deliveryId: z.string() }) },
});

const newRecoverySchema = z.strictObject({
  pool: poolIdSchema
    .optional()
    .describe('The pool of the deliveries to retry; all pools of the caller if omitted.'),
  destination: z.string().min(1).max(100).optional(),
  state: z
    .enum(['dead', 'delivered', 'superseded'])
    .optional()
    .describe('The state of the deliveries to retry; `dead` if omitted.'),
  since: timeSchema.describe('Deliveries created at or after this date-time.'),
  until: timeSchema
    .optional()
    .describe('Deliveries created before this date-time; the time of the request if omitted.'),
});

/** The deliveries to retry: of all pools if none are given. */
export interface RecoverRequest extends Omit<z.output<typeof newRecoverySchema>, 'pool'> {
  readonly pools?: readonly string[] | undefined;
}

const recoverySchema = z.object({
  id: z.string(),
  state: z.enum(['running', 'done']),
  recovered: z.int().describe('The number of deliveries reopened so far.'),
  total: z
    .int()
    .describe(
      'The number of matching deliveries, which grows until all are counted. Fewer are reopened if a newer version is already waiting or a destination was removed.',
    ),
  createdAt: dateTimeSchema,
});

/** The progress of a recovery. */
export type Recovery = Readonly<z.input<typeof recoverySchema>>;

export const recoverDeliveries = route.post('/v1/admin/deliveries/recover', {
  config: {
    access: 'operator',
    poolCheck: 'by-handler',
    problems: { 409: 'The maximum number of recoveries is already running.' },
  },
  operationId: 'recoverDeliveries',
  summary: 'Retry many deliveries',
  description: 'Reopens a first batch of deliveries before the response, and the rest in the background.',
  body: newRecoverySchema,
  response: {
    202: z.object({
      recoveryId: z.string(),
      recovered: z.int().describe('The number of deliveries reopened before the response.'),
    }),
  },
});

export const readRecovery = route.get('/v1/admin/recoveries/:id', {
  config: { access: 'viewer', poolCheck: 'recovery' },
  operationId: 'readRecovery',
  summary: 'Read the progress of a recovery',
  response: { 200: recoverySchema },
});
