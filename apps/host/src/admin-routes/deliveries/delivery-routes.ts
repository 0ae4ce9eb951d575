import { listDeliveries, readDelivery, readLane, retryDelivery } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { deliveryDetail, deliveryItem } from './delivery-answer.ts';
import { laneAnswer } from './lane-answer.ts';

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
  }
}
