import { poolIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { dateTimeSchema, timeSchema } from './date-time.ts';
import { pageQueryFields, pageSchema } from './pages.ts';
import { route } from './route.ts';

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
