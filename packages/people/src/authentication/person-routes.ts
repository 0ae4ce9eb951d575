import {
  createCredential,
  deleteCredential,
  endSession,
  listCredentials,
  listSessions,
  readMe,
  type sessionSchema,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, pageOf, pageOrProblem, personOf } from '@waiver-service/http';
import { requirePoolsExist } from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { PeopleStore } from '../data/people-store.ts';
import type { PersonSession } from '../data/person-sessions.ts';
import { rulesOf } from '../sign-in/person-of-claims.ts';
import { PeopleSettings } from '../sign-in/sign-in-settings.ts';
import { personOfSession } from './identify-callers.ts';

/** The tokens of people and programs, with roles. The admin token is separate, and cannot be revoked here. */
@injectable()
export class PersonRoutes implements RouteModule {
  constructor(
    @inject(PeopleStore) readonly store: PeopleStore,
    @inject(PeopleSettings) private readonly settings: PeopleSettings,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    app.route({
      ...createCredential,
      handler: async ({ body }, reply) => {
        await requirePoolsExist(this, body.pools ?? []);
        return reply.code(201).send(await store.credentials.create(body));
      },
    });

    app.route({
      ...listCredentials,
      handler: async ({ query }) => {
        return pageOrProblem(store.credentials.list(query));
      },
    });

    app.route({
      ...deleteCredential,
      handler: async ({ params }, reply) => {
        if (await store.credentials.remove(params.id)) return reply.code(204).send(null);
        throw new HttpProblem(404, 'credential_not_found', 'There is no credential with this id.');
      },
    });

    this.addSessions(app);
  }

  /** The console's sessions, which owners can end. */
  private addSessions(app: HostApp): void {
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

function sessionAnswer(session: PersonSession): z.input<typeof sessionSchema> {
  const { owner, ...times } = session;
  const { actor, name, role, pools } = personOfSession(owner);
  return { ...times, actor, name, role, pools: pools === 'all' ? null : [...pools] };
}

/** `GET /v1/admin/me`: who the caller is. */
export function meRoute(app: HostApp): void {
  app.route({
    ...readMe,
    handler: async ({ caller }) => {
      const { name, role, pools } = personOf(caller);
      return { name, role, pools: pools === 'all' ? null : [...pools] };
    },
  });
}
