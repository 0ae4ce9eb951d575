import { poolIdSchema } from '@waiver-service/core';
import type { AuditEntry, Store } from '@waiver-service/store';
import { z } from 'zod';
import { isAtLeast, personOf } from '../../authentication/caller.ts';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { dateTimeSchema, timeSchema, toDateTime } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOrProblem, pageQueryFields, pageSchema } from '../../http/pages.ts';

const entrySchema = z
  .object({
    id: z.string(),
    at: dateTimeSchema,
    actor: z
      .string()
      .describe(
        '`admin-token`, `credential:<id>`, `oidc:<subject>`, `install-key:<id>`, or `unknown` for a refused sign-in.',
      ),
    actorName: z.string().optional().describe('What the actor was called at the time.'),
    action: z.string().describe('Such as `webhook.create` or `waiver.read`.'),
    pool: z.string().optional(),
    target: z.string().optional().describe('The id of what it is about.'),
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

function entryAnswer(entry: AuditEntry): z.infer<typeof entrySchema> {
  const { id, at, actor, name, action, pool, target, status, requestId, address } = entry;
  return {
    id,
    at: toDateTime(at),
    actor,
    ...(name === null ? {} : { actorName: name }),
    action,
    ...(pool === null ? {} : { pool }),
    ...(target === null ? {} : { target }),
    ...(status === null ? {} : { status }),
    requestId,
    address,
  };
}

interface Services {
  readonly store: Pick<Store, 'auditLog'>;
}

/** `GET /v1/admin/audit`: who did what, and who read whose data. */
export const auditRoute: RouteModule<Services> = (app, { store }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url: '/v1/admin/audit',
    schema: {
      operationId: 'listAuditEntries',
      tags: ['Operators'],
      summary: 'List who changed what, and who read one waiver, booking or message; newest first',
      description: 'What belongs to no pool, such as credentials, is listed for owners only.',
      querystring: z.strictObject({
        pool: poolIdSchema.optional(),
        actor: z.string().min(1).max(300).optional(),
        action: z.string().min(1).max(100).optional(),
        since: timeSchema.optional().describe('At or after this date-time.'),
        until: timeSchema.optional().describe('Before this date-time.'),
        ...pageQueryFields,
      }),
      response: { 200: pageSchema(entrySchema) },
    },
    handler: async ({ query: { limit, cursor, pool, ...filter }, caller }) => {
      const pools = poolsToShow(caller, pool);
      const ofPoolsOnly = !isAtLeast(personOf(caller).role, 'owner');
      const listed = store.auditLog.list({ ...filter, pools, ofPoolsOnly }, { limit, cursor });
      const { items, next } = await pageOrProblem(listed);
      return { items: items.map(entryAnswer), next };
    },
  });
};
