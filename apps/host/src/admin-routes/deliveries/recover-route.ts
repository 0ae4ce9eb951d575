import { readRecovery, recoverDeliveries } from '@waiver-service/api';
import { maxRunningRecoveries, maxRunningRecoveriesPerPool } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem, malformed } from '../../http/http-problem.ts';

/**
 * `POST /v1/admin/deliveries/recover` and `GET /v1/admin/recoveries/{id}`: bulk retries, in the background, of
 * deliveries that have ended.
 */
@injectable()
export class RecoverRoute implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...recoverDeliveries,
      handler: async ({ body: { pool, ...filter }, caller }, reply) => {
        const { since, until } = filter;
        if (until !== undefined && until <= since) {
          throw malformed([{ path: 'until', message: 'is not later than since' }]);
        }
        const pools = poolsToShow(caller, pool);
        const started = await this.store.deliveries.recover({ ...filter, pools });
        if ('outcome' in started) {
          throw new HttpProblem(
            409,
            'too_many_recoveries',
            pools === undefined
              ? `${maxRunningRecoveries} recoveries of all pools are running, which is as many as may run at once: try again when one is done (GET /v1/admin/recoveries/{id}).`
              : `${maxRunningRecoveriesPerPool} recoveries of one of these pools are running, which is as many as may run at once: try again when one is done (GET /v1/admin/recoveries/{id}).`,
          );
        }
        return reply.code(202).send(started);
      },
    });

    app.route({
      ...readRecovery,
      handler: async ({ params }) => {
        const recovery = await this.store.deliveries.recovery(params.id);
        if (recovery === undefined) {
          throw new HttpProblem(404, 'recovery_not_found', 'There is no recovery with this id.');
        }
        const { id, state, recovered, total, createdAt } = recovery;
        return { id, state, recovered, total, createdAt };
      },
    });
  }
}
