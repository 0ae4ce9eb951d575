import {
  type attemptSchema,
  type deliveryDetailSchema,
  type deliveryItemSchema,
  type laneSchema,
  type laneSideSchema,
  listDeliveries,
  readDelivery,
  readLane,
  readRecovery,
  recoverDeliveries,
  retryDelivery,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import {
  type Caller,
  HttpProblem,
  hiddenMessage,
  malformed,
  pageOf,
  poolsToShow,
  seesGuests,
} from '@waiver-service/http';
import {
  type AttemptItem,
  type DeliveryDetail,
  type DeliveryItem,
  type DeliveryLane,
  type LaneSide,
  maxRunningRecoveries,
  maxRunningRecoveriesPerPool,
} from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { Store } from '../given.ts';
import { ownerAnswer } from './destination-routes.ts';

const sideAnswer = ({ count, items }: LaneSide, caller: Caller | null): z.input<typeof laneSideSchema> => ({
  count,
  items: items.map((item) => ({ ...deliveryItem(item, caller), nextAttemptAt: item.nextAttemptAt })),
});

function laneAnswer(
  { orderedBy, key, isWaiting, before, after }: DeliveryLane,
  caller: Caller | null,
): z.input<typeof laneSchema> {
  return {
    orderedBy,
    key,
    waiting: isWaiting,
    before: sideAnswer(before, caller),
    after: sideAnswer(after, caller),
  };
}

function deliveryItem(delivery: DeliveryItem, caller: Caller | null): z.input<typeof deliveryItemSchema> {
  const { id, kind, state, pool, destination, waiverId, guestName, bookingId, version, createdAt } = delivery;
  return {
    ...{ id, kind, state, pool, destination, ...ownerAnswer(delivery), waiverId, version, createdAt },
    guestName: seesGuests(caller) ? guestName : null,
    bookingId: bookingId ?? undefined,
  };
}

function warningsOf(warnings: DeliveryDetail['warnings'], withGuests: boolean) {
  return warnings.map((warning) => (withGuests ? { ...warning } : { ...warning, message: hiddenMessage }));
}

function attemptAnswer(
  { warnings, response, ...attempt }: AttemptItem,
  withGuests: boolean,
): z.input<typeof attemptSchema> {
  return {
    ...attempt,
    response: withGuests || response === undefined ? response : null,
    warnings: warnings && warningsOf(warnings, withGuests),
  };
}

/** A delivery with its body and attempts; without guest data if the caller may not see it. */
function deliveryDetail(
  delivery: DeliveryDetail,
  caller: Caller | null,
): z.input<typeof deliveryDetailSchema> {
  const withGuests = seesGuests(caller);
  return {
    ...deliveryItem(delivery, caller),
    ...(withGuests ? { body: JSON.parse(delivery.body) } : { body: null, redacted: true as const }),
    nextAttemptAt: delivery.nextAttemptAt ?? undefined,
    reason: withGuests || delivery.reason === null ? (delivery.reason ?? undefined) : hiddenMessage,
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
        const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
        return pageOf(
          this.store.deliveries.list({ ...filter, pools: poolsToShow(caller, pool) }, page),
          (delivery) => deliveryItem(delivery, caller),
        );
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
        return laneAnswer(lane, caller);
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
        const { id, state, recovered, total, createdAt } = recovery;
        return { id, state, recovered, total, createdAt };
      },
    });
  }
}
