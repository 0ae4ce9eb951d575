import type { DeliveryState } from '@waiver-service/store';
import { z } from 'zod';
import { holdAnswer, holdSchema } from '../admin-routes/guests/guest-fields.ts';
import { seesAnswers, seesGuests } from '../authentication/caller.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../http/delivery-fields.ts';
import type { RouteModule } from '../http/host-app.ts';
import { erasedResponse, missingWaiver } from './waiver-problems.ts';
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

const signingSchema = z.object({
  id: z.string(),
  form: z.string(),
  formName: z.string(),
  formVersion: z.int(),
  language: z.string(),
  receivedAt: dateTimeSchema,
  isSealed: z.boolean().describe('Whether the signing has been added to the pool’s evidence chain.'),
  flags: z.array(z.string()).nullable().describe('Labels of flagged answers, for staff; null for viewers.'),
});

function waiverDeliveryAnswer(delivery: DeliveryState): z.input<typeof waiverDeliverySchema> {
  const { nextAttemptAt, ...rest } = delivery;
  return { ...rest, ...(nextAttemptAt ? { nextAttemptAt } : {}) };
}

/** `GET /v1/pools/{pool}/waivers/{id}`: the record and the states of its deliveries. */
export const readWaiverRoute: RouteModule = (app, services) => {
  const { waivers, guests, signings } = services.store;
  app.route({
    config: { access: 'waivers:read', audited: true, problems: erasedResponse },
    method: 'GET',
    url: '/v1/pools/:pool/waivers/:id',
    schema: {
      operationId: 'readWaiver',
      tags: ['Waivers'],
      summary: 'Read a waiver record and the states of its deliveries',
      params: waiverParamsSchema,
      response: {
        200: waiverRecordSchema.extend({
          deliveries: z.array(waiverDeliverySchema),
          hold: holdSchema
            .optional()
            .describe(
              'The hold that protects the record from retention and erasure; omitted for access tokens.',
            ),
          signing: signingSchema
            .optional()
            .describe(
              'The signing that created the record, if it was signed on the check-in page; omitted for access tokens.',
            ),
        }),
      },
    },
    handler: async (request) => {
      const { pool, id } = request.params;
      const record = await waivers.get(pool, id);
      if (!record) throw await missingWaiver(services, pool, id);
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
};
