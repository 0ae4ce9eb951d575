import { listWaivers } from '@waiver-service/api';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { seesAnswers, seesGuests } from '../authentication/caller.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { pageOrProblem } from '../http/pages.ts';
import { waiverRecordAnswer } from './waiver-record.ts';

/** A caller who may search by name could discover names, letter by letter. */
async function refuseSearchOfViewers({ query, caller }: FastifyRequest): Promise<void> {
  if (seesGuests(caller) || !Object.hasOwn(Object(query), 'search')) return;
  throw new HttpProblem(
    403,
    'forbidden',
    'This takes the role operator: a search can tell who the guests are.',
  );
}

/** Waiver apps must not learn of holds. */
async function refuseHeldToApps({ query, caller }: FastifyRequest<{ Querystring: { state?: string } }>) {
  if (caller?.kind === 'person' || query.state !== 'held') return;
  throw new HttpProblem(403, 'forbidden', 'Which records are held is for people: use a credential.');
}

/** `GET /v1/pools/{pool}/waivers`: the pool's records by last change, or those that a search finds. */
@injectable()
export class ListWaiversRoute implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...listWaivers,
      preValidation: refuseSearchOfViewers,
      preHandler: refuseHeldToApps,
      handler: async (request) => {
        const { pool } = request.params;
        const { search: text, ...query } = request.query;
        const page = await pageOrProblem(
          text === undefined
            ? this.store.waivers.list(pool, query)
            : this.store.waivers.search(pool, { ...query, text }),
        );
        if (page.items.length === 0 && !(await this.store.pools.get(pool))) throw unknownPool(pool);
        return {
          items: page.items.map((record) => waiverRecordAnswer(record, seesAnswers(request.caller))),
          next: page.next,
        };
      },
    });
  }
}
