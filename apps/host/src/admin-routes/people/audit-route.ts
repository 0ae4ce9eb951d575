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
        '`admin-token`, `credential:<id>`, `oidc:<subject>`, `install-key:<id>`, or `unknown` for a refused sign-in.',
      ),
    actorName: z.string().optional().describe('The actor’s name at the time.'),
    action: z.string().describe('Such as `webhook.create` or `waiver.read`.'),
    pool: z.string().optional(),
    target: z.string().optional().describe('The id of the affected resource.'),
    status: z
      .int()
      .optional()
      .describe(
        'The status of the response: from 400 on the request was refused or failed. Absent while it runs.',
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
  actor: z.string().min(1).max(300).optional().describe('Or the actor’s name at the time.'),
  action: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Such as `webhook.create`, or `webhook` for all of webhooks.'),
  target: z.string().min(1).max(512).optional().describe('A part of the target.'),
  since: timeSchema.optional().describe('At or after this date-time.'),
  until: timeSchema.optional().describe('Before this date-time.'),
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
      summary: 'List who changed what, and who read one waiver, booking or message; newest first',
      description: 'What belongs to no pool, such as credentials, is listed for owners only.',
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
      summary: 'Export the audit log as CSV or as one JSON object per line; newest first',
      description:
        'At most 100,000 entries. If there are as many, continue with the `at` of the last one as `until`. In CSV, a text that a spreadsheet would take for a formula begins with an apostrophe.',
      produces: ['text/csv', 'application/x-ndjson'],
      querystring: z.strictObject({ format: z.enum(['csv', 'ndjson']), ...filterFields }),
      response: { 200: z.unknown().describe('The file.') },
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
