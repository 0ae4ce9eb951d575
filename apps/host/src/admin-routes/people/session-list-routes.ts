import { endSession, listSessions, type sessionSchema } from '@waiver-service/api';
import type { PersonSession } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { personOfSession } from '../../authentication/identify-callers.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { HostSettings } from '../../settings/host-settings.ts';
import { rulesOf } from '../../sign-in/person-of-claims.ts';

function sessionAnswer(session: PersonSession): z.input<typeof sessionSchema> {
  const { owner, ...times } = session;
  const { actor, name, role, pools } = personOfSession(owner);
  return { ...times, actor, name, role, pools: pools === 'all' ? null : [...pools] };
}

/** The console's sessions, which owners can end. */
@injectable()
export class SessionListRoutes implements RouteModule {
  constructor(
    @inject(HostSettings) private readonly settings: HostSettings,
    @inject(Store) private readonly store: Store,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, settings } = this;

    const signInRules = rulesOf(settings.signInIssuer);

    app.route({
      ...listSessions,
      handler: async ({ query }) => {
        return pageOf(store.personSessions.list(signInRules, query), sessionAnswer);
      },
    });

    app.route({
      ...endSession,
      handler: async ({ params }, reply) => {
        if (await store.personSessions.remove(params.id)) return reply.code(204).send(null);
        throw new HttpProblem(404, 'session_not_found', 'There is no session with this id.');
      },
    });
  }
}
