import type { PersonSession } from '@waiver-service/store';
import { z } from 'zod';
import { personOfSession } from '../../authentication/identify-callers.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { rulesOf } from '../../sign-in/person-of-claims.ts';
import { idPathSchema } from '../admin-paths.ts';
import { noContentSchema } from '../no-content.ts';
import { roleSchema, shownPoolsSchema } from './person-fields.ts';

const sessionSchema = z
  .object({
    id: z.string(),
    actor: z
      .string()
      .describe(
        'Who is signed in, as in the audit log: `admin-token`, `credential:<id>` or `oidc:<subject>`.',
      ),
    name: z.string(),
    role: roleSchema,
    pools: shownPoolsSchema,
    createdAt: dateTimeSchema,
    lastUsedAt: dateTimeSchema.describe('When the session was last used, accurate to a minute.'),
    expiresAt: dateTimeSchema.describe(
      'When the session ends at the latest. It ends earlier if unused for 8 hours.',
    ),
  })
  .meta({ id: 'Session' });

function sessionAnswer(session: PersonSession): z.input<typeof sessionSchema> {
  const { owner, ...times } = session;
  const { actor, name, role, pools } = personOfSession(owner);
  return { ...times, actor, name, role, pools: pools === 'all' ? null : [...pools] };
}

/** The console's sessions, which owners can end. */
export const sessionListRoutes: RouteModule = (app, { store, settings }) => {
  const url = '/v1/admin/sessions';
  const signInRules = rulesOf(settings.signInIssuer);

  app.route({
    config: { access: 'owner' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listSessions',
      summary: 'List who is signed in to the console',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(sessionSchema) },
    },
    handler: async ({ query }) => {
      return pageOf(store.personSessions.list(signInRules, query), sessionAnswer);
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'endSession',
      summary: 'End a console session',
      description:
        'Takes effect immediately, on every host. The person can sign in again until their credential is revoked, or until the issuer or `OIDC_ROLES` gives them no role.',
      params: idPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params }, reply) => {
      if (await store.personSessions.remove(params.id)) return reply.code(204).send(null);
      throw new HttpProblem(404, 'session_not_found', 'There is no session with this id.');
    },
  });
};
