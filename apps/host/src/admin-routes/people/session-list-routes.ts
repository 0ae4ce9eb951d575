import type { PersonSession, Store } from '@waiver-service/store';
import { z } from 'zod';
import { personOfSession } from '../../authentication/identify-callers.ts';
import { dateTimeSchema, toDateTime } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { idPathSchema } from '../admin-paths.ts';
import { noContentSchema } from '../no-content.ts';
import { roleSchema, shownPoolsSchema } from './person-fields.ts';

const sessionSchema = z
  .object({
    id: z.string(),
    actor: z.string().describe('As in the audit log: `admin-token`, `credential:<id>` or `oidc:<subject>`.'),
    name: z.string(),
    role: roleSchema,
    pools: shownPoolsSchema,
    createdAt: dateTimeSchema,
    lastUsedAt: dateTimeSchema.describe('Accurate to a minute.'),
    expiresAt: dateTimeSchema.describe('When it ends, however much it is used.'),
  })
  .meta({ id: 'Session' });

function sessionAnswer(session: PersonSession): z.infer<typeof sessionSchema> {
  const { id, owner, createdAt, lastUsedAt, expiresAt } = session;
  const { actor, name, role, pools } = personOfSession(owner);
  return {
    id,
    actor,
    name,
    role,
    pools: pools === 'all' ? null : [...pools],
    createdAt: toDateTime(createdAt),
    lastUsedAt: toDateTime(lastUsedAt),
    expiresAt: toDateTime(expiresAt),
  };
}

interface Services {
  readonly store: Pick<Store, 'personSessions'>;
  /** Of the sessions that an issuer vouched for, those of these rules have not ended. */
  readonly signInRules: string | undefined;
}

/** Who is signed in to the console, and how others end that. */
export const sessionListRoutes: RouteModule<Services> = (app, { store, signInRules }) => {
  const url = '/v1/admin/sessions';

  app.route({
    config: { access: 'owner' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listSessions',
      tags: ['Operators'],
      summary: 'List who is signed in to the console',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(sessionSchema) },
    },
    handler: async ({ query }) => {
      const { items, next } = await pageOrProblem(store.personSessions.list(signInRules, query));
      return { items: items.map(sessionAnswer), next };
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'endSession',
      tags: ['Operators'],
      summary: 'End a session of the console',
      description:
        'At once, on every host. Whoever it was can sign in again until their credential is revoked, or the issuer or `OIDC_ROLES` gives them no role.',
      params: idPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params }, reply) => {
      if (await store.personSessions.remove(params.id)) return reply.code(204).send(null);
      throw new HttpProblem(404, 'session_not_found', 'There is no session with this id.');
    },
  });
};
