import { listChanges } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { seesAnswers } from '../authentication/caller.ts';
import { Store } from '../given.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { pageOrProblem } from '../http/pages.ts';
import { waiverRecordAnswer } from './waiver-record.ts';

const tooManyWaiting = () =>
  new HttpProblem(
    429,
    'too_many_waiting',
    'Too many requests for this pool wait for changes already: use fewer readers, or ask without `wait`.',
    { headers: { 'retry-after': '5' } },
  );

/** `GET /v1/pools/{pool}/changes`: the pool's records as they change, without gaps. */
@injectable()
export class ListChangesRoute implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.addHook('preClose', () => this.store.changes.stopWaiting());
    app.route({
      ...listChanges,
      handler: async (request, reply) => {
        const { pool } = request.params;
        const { after, limit, wait } = request.query;
        if (request.caller?.kind !== 'pool' && !(await this.store.pools.get(pool))) throw unknownPool(pool);
        const changes = this.store.changes.read(pool, {
          after,
          limit,
          waitMs: wait * 1_000,
          signal: callerSignal(reply),
        });
        const result = await pageOrProblem(changes, 'after');
        if ('outcome' in result) throw tooManyWaiting();
        return {
          items: result.items.map(({ erased, ...record }) => ({
            ...waiverRecordAnswer(record, seesAnswers(request.caller)),
            ...(erased ? { erased } : {}),
          })),
          next: result.next,
        };
      },
    });
  }
}
