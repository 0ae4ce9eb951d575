import type { DeliveryState, Store } from '@waiver-service/store';
import { z } from 'zod';
import { seesAnswers } from '../authentication/caller.ts';
import { dateTimeSchema, toDateTime } from '../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../http/delivery-fields.ts';
import type { RouteModule } from '../http/host-app.ts';
import { waiverNotFound } from './waiver-problems.ts';
import { waiverRecordAnswer, waiverRecordSchema } from './waiver-record.ts';
import { waiverParamsSchema } from './waiver-schemas.ts';

const waiverDeliverySchema = z.object({
  id: z.string(),
  kind: deliveryKindSchema,
  state: deliveryStateSchema,
  destination: z.string(),
  version: z.int(),
  bookingId: z.string().optional(),
  attempts: z.int(),
  nextAttemptAt: dateTimeSchema.optional(),
  lastErrorCode: z.string().optional(),
});

function waiverDeliveryAnswer(delivery: DeliveryState): z.infer<typeof waiverDeliverySchema> {
  const { nextAttemptAt, ...rest } = delivery;
  return { ...rest, ...(nextAttemptAt ? { nextAttemptAt: toDateTime(nextAttemptAt) } : {}) };
}

interface Services {
  readonly store: Pick<Store, 'waivers'>;
}

/** `GET /v1/pools/{pool}/waivers/{id}`: the record and the states of its deliveries. */
export const readWaiverRoute: RouteModule<Services> = (app, { store }) => {
  app.route({
    config: { access: 'waivers:read', audited: true },
    method: 'GET',
    url: '/v1/pools/:pool/waivers/:id',
    schema: {
      operationId: 'readWaiver',
      tags: ['Waivers'],
      summary: 'Read a waiver record and the states of its deliveries',
      params: waiverParamsSchema,
      response: { 200: waiverRecordSchema.extend({ deliveries: z.array(waiverDeliverySchema) }) },
    },
    handler: async (request) => {
      const { pool, id } = request.params;
      const record = await store.waivers.get(pool, id);
      if (!record) throw waiverNotFound(id);
      const deliveries = await store.waivers.deliveriesOf(pool, id);
      return {
        ...waiverRecordAnswer(record, seesAnswers(request.caller)),
        deliveries: deliveries.map(waiverDeliveryAnswer),
      };
    },
  });
};
