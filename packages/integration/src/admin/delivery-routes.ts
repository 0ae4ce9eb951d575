import {
  type AttemptItem,
  type DeliveryDetail,
  type DeliveryItem,
  type LaneSide,
  listDeliveries,
  listDestinations,
  pauseDestination,
  readDelivery,
  readLane,
  readRecovery,
  recoverDeliveries,
  resumeDestination,
  retryDelivery,
} from '@waiver-service/api';
import {
  type Caller,
  type HostApp,
  HttpProblem,
  hiddenMessage,
  malformed,
  pageOf,
  pageOrProblem,
  poolsToShow,
  type RouteModule,
  seesGuests,
} from '@waiver-service/http';
import {
  maxRunningRecoveries,
  maxRunningRecoveriesPerPool,
  type StoredDelivery,
} from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { Store } from '../given.ts';

const deliveryAnswer = <Item extends DeliveryItem>(delivery: Item, caller: Caller | null): Item => ({
  ...delivery,
  guestName: seesGuests(caller) ? delivery.guestName : null,
});

const sideAnswer = ({ count, items }: LaneSide, caller: Caller | null): LaneSide => ({
  count,
  items: items.map((item) => deliveryAnswer(item, caller)),
});

function warningsOf(warnings: DeliveryDetail['warnings'], withGuests: boolean) {
  return warnings.map((warning) => (withGuests ? { ...warning } : { ...warning, message: hiddenMessage }));
}

const attemptAnswer = (attempt: AttemptItem, withGuests: boolean): AttemptItem => ({
  ...attempt,
  response: withGuests || attempt.response === undefined ? attempt.response : null,
  warnings: attempt.warnings && warningsOf(attempt.warnings, withGuests),
});

/** A delivery with its body and attempts; without guest data if the caller may not see it. */
function deliveryDetail(
  { body, reason, ...delivery }: StoredDelivery,
  caller: Caller | null,
): DeliveryDetail {
  const withGuests = seesGuests(caller);
  return {
    ...deliveryAnswer(delivery, caller),
    ...(withGuests ? { body: JSON.parse(body) } : { body: null, redacted: true as const }),
    reason: withGuests || reason === undefined ? reason : hiddenMessage,
    warnings: warningsOf(delivery.warnings, withGuests),
    attempts: delivery.attempts.map((attempt) => attemptAnswer(attempt, withGuests)),
  };
}

const deliveryNotFound = () =>
  new HttpProblem(404, 'delivery_not_found', 'There is no delivery with this id.');

@injectable()
export class DeliveryRoutes implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...listDeliveries,
      handler: async ({ query: { limit, cursor, pool, ...filter }, caller }) => {
        const pools = poolsToShow(caller, pool);
        const listed = this.store.deliveries.list({ ...filter, pools }, { limit, cursor });
        return pageOf(listed, (delivery) => deliveryAnswer(delivery, caller));
      },
    });

    app.route({
      ...readDelivery,
      handler: async ({ params, caller }) => {
        const delivery = await this.store.deliveries.get(params.id);
        if (!delivery) throw deliveryNotFound();
        return deliveryDetail(delivery, caller);
      },
    });

    app.route({
      ...readLane,
      handler: async ({ params, caller }) => {
        const lane = await this.store.deliveries.lane(params.id);
        if (!lane) throw deliveryNotFound();
        const { before, after } = lane;
        return { ...lane, before: sideAnswer(before, caller), after: sideAnswer(after, caller) };
      },
    });

    app.route({
      ...retryDelivery,
      handler: async ({ params }, reply) => {
        const retried = await this.store.deliveries.retry(params.id);
        if (!retried) throw deliveryNotFound();
        if ('outcome' in retried) {
          throw new HttpProblem(
            409,
            'destination_gone',
            'The installation or the webhook that this delivery was for has been removed.',
          );
        }
        return reply.code(202).send({ deliveryId: retried.deliveryId });
      },
    });

    this.addRecoveries(app);
  }

  /**
   * `POST /v1/admin/deliveries/recover` and `GET /v1/admin/recoveries/{id}`: bulk retries, in the background, of
   * deliveries that have ended.
   */
  private addRecoveries(app: HostApp): void {
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
        const { pools: _, ...progress } = recovery;
        return progress;
      },
    });
  }
}

@injectable()
export class DestinationRoutes implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...listDestinations,
      handler: async ({ query, caller }) => {
        return pageOrProblem(this.store.destinations.list(query, poolsToShow(caller)));
      },
    });

    const changed = async (action: 'pause' | 'resume', id: string) => {
      const destination = await this.store.destinations[action](id);
      if (!destination)
        throw new HttpProblem(404, 'destination_not_found', 'There is no destination with this id.');
      return destination;
    };

    app.route({ ...pauseDestination, handler: ({ params: { id } }) => changed('pause', id) });

    app.route({ ...resumeDestination, handler: ({ params: { id } }) => changed('resume', id) });
  }
}
