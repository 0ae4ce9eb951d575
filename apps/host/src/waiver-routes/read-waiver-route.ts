import { readWaiver, type waiverDeliverySchema } from '@waiver-service/api';
import type { DeliveryState } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { holdAnswer } from '../admin-routes/guests/guest-fields.ts';
import { seesAnswers, seesGuests } from '../authentication/caller.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { missingWaiver } from './waiver-problems.ts';
import { waiverRecordAnswer } from './waiver-record.ts';

function waiverDeliveryAnswer(delivery: DeliveryState): z.input<typeof waiverDeliverySchema> {
  const { nextAttemptAt, ...rest } = delivery;
  return { ...rest, ...(nextAttemptAt ? { nextAttemptAt } : {}) };
}

/** `GET /v1/pools/{pool}/waivers/{id}`: the record and the states of its deliveries. */
@injectable()
export class ReadWaiverRoute implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { waivers, guests, signings } = this.store;
    app.route({
      ...readWaiver,
      handler: async (request) => {
        const { pool, id } = request.params;
        const record = await waivers.get(pool, id);
        if (!record) throw await missingWaiver(this, pool, id);
        const deliveries = await waivers.deliveriesOf(pool, id);
        const isPerson = request.caller?.kind === 'person';
        const hold = isPerson ? await guests.holds.get(pool, id) : undefined;
        const signing = isPerson ? await signings.ofWaiver(pool, id) : undefined;
        const flags = signing && seesGuests(request.caller) ? [...signing.flags] : null;
        return {
          ...waiverRecordAnswer(record, seesAnswers(request.caller)),
          deliveries: deliveries.map(waiverDeliveryAnswer),
          ...(signing === undefined ? {} : { signing: { ...signing, flags } }),
          ...(hold === undefined ? {} : { hold: holdAnswer(hold, seesGuests(request.caller)) }),
        };
      },
    });
  }
}
