import { Readable } from 'node:stream';
import { poolIdSchema } from '@waiver-service/core';
import type { AuditEntry, AuditFilter } from '@waiver-service/store';
import { z } from 'zod';
import { isAtLeast, personOf } from '../../authentication/caller.ts';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { dateTimeSchema, timeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOf, pageQueryFields, pageSchema } from '../../http/pages.ts';
import { csvLine } from './audit-export.ts';

const entrySchema = z
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

function entryAnswer(entry: AuditEntry): z.input<typeof entrySchema> {
  const { name, pool, target, status, ...rest } = entry;
  return {
    ...rest,
    actorName: name ?? undefined,
    pool: pool ?? undefined,
    target: target ?? undefined,
    status: status ?? undefined,
  };
}

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

const columns = [
  'id',
  'at',
  'actor',
  'actorName',
  'action',
  'pool',
  'target',
  'status',
  'requestId',
  'address',
] as const satisfies readonly (keyof z.input<typeof entrySchema>)[];

const maxExported = 100_000;
const exportedAtOnce = 1_000;

/** `GET /v1/admin/audit`: who did what, and who read whose data. */
export const auditRoute: RouteModule = (app, { store }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url: '/v1/admin/audit',
    schema: {
      operationId: 'listAuditEntries',
      summary: 'List the audit log of changes and of reads of guest data, newest first',
      description: 'Only owners see entries that belong to no pool, such as changes of credentials.',
      querystring: z.strictObject({
        ...filterFields,
        ...pageQueryFields,
      }),
      response: { 200: pageSchema(entrySchema) },
    },
    handler: async ({ query: { limit, cursor, pool, ...filter }, caller }) => {
      const pools = poolsToShow(caller, pool);
      const ofPoolsOnly = !isAtLeast(personOf(caller).role, 'owner');
      const listed = store.auditLog.list({ ...filter, pools, ofPoolsOnly }, { limit, cursor });
      return pageOf(listed, entryAnswer);
    },
  });

  async function* entriesOf(filter: AuditFilter) {
    let cursor: string | undefined;
    for (let exported = 0; exported < maxExported; exported += exportedAtOnce) {
      const { items, next } = await store.auditLog.list(filter, { limit: exportedAtOnce, cursor });
      yield* items.map(entryAnswer);
      if (next === null) return;
      cursor = next;
    }
  }

  async function* csvOf(filter: AuditFilter) {
    yield csvLine(columns);
    for await (const entry of entriesOf(filter)) yield csvLine(columns.map((column) => entry[column]));
  }

  async function* linesOf(filter: AuditFilter) {
    for await (const entry of entriesOf(filter)) yield `${JSON.stringify(entry)}\n`;
  }

  app.route({
    config: { access: 'owner', audited: true },
    method: 'GET',
    url: '/v1/admin/audit/export',
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportAuditEntries',
      summary: 'Export the audit log as CSV or as one JSON object per line, newest first',
      description:
        'Returns at most 100,000 entries. To get older entries, set `until` to the `at` of the last entry. In CSV, text that a spreadsheet would treat as a formula is prefixed with an apostrophe.',
      produces: ['text/csv', 'application/x-ndjson'],
      querystring: z.strictObject({ format: z.enum(['csv', 'ndjson']), ...filterFields }),
      response: { 200: z.unknown().describe('The exported entries, in the requested format.') },
    },
    handler: ({ query: { format, pool, ...filter }, caller }, reply) => {
      const entries = { ...filter, pools: poolsToShow(caller, pool), ofPoolsOnly: false };
      const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      reply.headers({
        'content-type': `${type}; charset=utf-8`,
        'content-disposition': `attachment; filename="audit-log.${format}"`,
        'cache-control': 'no-store',
      });
      return reply.send(Readable.from(format === 'csv' ? csvOf(entries) : linesOf(entries)));
    },
  });
};
