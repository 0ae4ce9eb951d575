import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { dateTimeSchema, pageQueryFields, pageSchema, timeSchema } from './fields.ts';
import { route } from './route.ts';

const statusSchema = z.object({ status: z.literal('ok') });

export const health = route.get('/healthz', {
  config: { access: 'public' },
  operationId: 'health',
  tags: ['Machines'],
  summary: 'Whether the process is alive',
  response: { 200: statusSchema },
});

export const readiness = route.get('/readyz', {
  config: {
    access: 'public',
    problems: { 503: 'The host should receive no traffic; `message` says why.' },
  },
  operationId: 'readiness',
  tags: ['Machines'],
  summary:
    'Whether the host should receive traffic: the database is reachable, migrated and writable, and the host is not shutting down',
  response: { 200: statusSchema },
});

export const metrics = route.get('/metrics', {
  config: { access: 'public' },
  operationId: 'metrics',
  tags: ['Machines'],
  summary: 'Prometheus metrics, as text',
  response: { 200: z.string() },
});

const overviewSchema = z
  .object({
    waiting: z.int().describe('The number of messages waiting to be sent.'),
    oldestWaitingAt: dateTimeSchema.nullable(),
    dead: z.int().describe('The number of deliveries that failed permanently and were not retried.'),
    failingDestinations: z.int(),
    pausedDestinations: z.int(),
    delivered: z.int().describe('The number of completed deliveries within the window.'),
    failed: z.int().describe('The number of failed attempts within the window.'),
    buckets: z.array(
      z.object({
        at: dateTimeSchema.describe('The beginning of the bucket.'),
        delivered: z.int(),
        failed: z.int(),
        medianMs: z
          .int()
          .nullable()
          .describe('The median duration of an attempt, in milliseconds; null if there was none.'),
        p95Ms: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'Overview' });

/** The state of sending. */
export type Overview = Readonly<z.input<typeof overviewSchema>>;

export const readOverview = route.get('/v1/admin/overview', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'readOverview',
  summary: 'Read statistics of deliveries',
  description: 'The statistics are at most a few seconds old.',
  querystring: z.strictObject({
    pool: poolIdSchema.optional(),
    window: z
      .enum(['1h', '24h', '7d'])
      .default('24h')
      .describe('The period up to now, in buckets of 1 minute (`1h`), 15 minutes (`24h`) or 2 hours (`7d`).'),
  }),
  response: { 200: overviewSchema },
});

const firstStepsSchema = z
  .object({
    bookingSystem: z
      .boolean()
      .describe('Whether any booking system has settings, an install key or an installation.'),
    pool: z.boolean().describe('Whether a pool exists.'),
    installation: z
      .boolean()
      .describe('Whether a booking system is installed for a pool and not waiting for approval.'),
    booking: z.boolean().describe('Whether a booking was read or a waiver was stored.'),
  })
  .meta({ id: 'FirstSteps' });

/** How far a service has been set up, as it is read. */
export type FirstSteps = Readonly<z.input<typeof firstStepsSchema>>;

export const readFirstSteps = route.get('/v1/admin/first-steps', {
  config: { access: 'viewer', poolCheck: 'none' },
  operationId: 'readFirstSteps',
  summary: 'Read how far the service has been set up',
  response: {
    200: firstStepsSchema,
  },
});

export const auditEntrySchema = z
  .object({
    id: z.string(),
    at: dateTimeSchema,
    actor: z
      .string()
      .describe(
        'Who sent the request: `admin-token`, `credential:<id>`, `oidc:<subject>`, `install-key:<id>`, or `unknown` for a refused sign-in.',
      ),
    actorName: z.string().optional().describe('The actor’s name at the time of the request.'),
    action: z.string().describe('The action, such as `webhook.create` or `waiver.read`.'),
    pool: z.string().optional(),
    target: z.string().optional().describe('The id of the affected resource.'),
    status: z
      .int()
      .optional()
      .describe(
        'The HTTP status of the response. Absent while the request is running, or if the host stopped before it ended.',
      ),
    requestId: z.string(),
    address: z.string(),
  })
  .meta({ id: 'AuditEntry' });

/** Who did what. */
export type AuditEntry = Readonly<z.input<typeof auditEntrySchema>>;

const filterFields = {
  pool: poolIdSchema.optional(),
  actor: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      'The actor, such as `credential:<id>`, or its name at the time of the request, in any letter case.',
    ),
  action: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'An action such as `webhook.create`, or a group such as `webhook` for all that begin with `webhook.`.',
    ),
  target: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('Any part of the id of the affected resource, case-sensitive.'),
  since: timeSchema.optional().describe('Only entries at or after this date-time.'),
  until: timeSchema.optional().describe('Only entries before this date-time.'),
};

const exportQuerySchema = z.strictObject({ format: z.enum(['csv', 'ndjson']), ...filterFields });

/** Which entries of the log are meant. */
export type AuditEntryFilter = Readonly<Omit<z.output<typeof exportQuerySchema>, 'format' | 'pool'>>;

export const listAuditEntries = route.get('/v1/admin/audit', {
  config: { access: 'viewer', poolCheck: 'by-handler' },
  operationId: 'listAuditEntries',
  summary: 'List the audit log of changes and of reads of guest data, newest first',
  description: 'Only owners see entries that belong to no pool, such as changes of credentials.',
  querystring: z.strictObject({
    ...filterFields,
    ...pageQueryFields,
  }),
  response: { 200: pageSchema(auditEntrySchema) },
});

export const exportAuditEntries = route.get('/v1/admin/audit/export', {
  exposeHeadRoute: false,
  config: { access: 'owner', audited: true },
  operationId: 'exportAuditEntries',
  summary: 'Export the audit log as CSV or as one JSON object per line, newest first',
  description:
    'Returns at most 100,000 entries. To get older entries, set `until` to the `at` of the last entry. In CSV, text that a spreadsheet would treat as a formula is prefixed with an apostrophe.',
  produces: ['text/csv', 'application/x-ndjson'],
  querystring: exportQuerySchema,
  response: { 200: z.unknown().describe('The exported entries, in the requested format.') },
});
