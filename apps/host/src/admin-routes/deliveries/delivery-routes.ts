import { outboundErrorCodes, poolIdSchema, waiverIdSchema } from '@waiver-service/core';
import { z } from 'zod';
import { poolsToShow } from '../../authentication/pool-access.ts';
import { timeSchema } from '../../http/date-time.ts';
import { deliveryKindSchema, deliveryStateSchema } from '../../http/delivery-fields.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQueryFields, pageSchema } from '../../http/pages.ts';
import { idPathSchema } from '../admin-paths.ts';
import { deliveryDetail, deliveryDetailSchema, deliveryItem, deliveryItemSchema } from './delivery-answer.ts';
import { laneAnswer, laneSchema } from './lane-answer.ts';

const deliveryNotFound = () =>
  new HttpProblem(404, 'delivery_not_found', 'There is no delivery with this id.');

export const deliveryRoutes: RouteModule = (app, { store }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler', audited: true },
    method: 'GET',
    url: '/v1/admin/deliveries',
    schema: {
      operationId: 'listDeliveries',
      summary: 'List deliveries',
      description:
        'Returns deliveries, newest first. With `errorCode` or `status`, a page examines at most 1,000 deliveries with a matching attempt: it may have fewer items than `limit`, or none, even if there is a next page.',
      querystring: z.strictObject({
        pool: poolIdSchema.optional(),
        kind: z
          .enum(deliveryKindSchema.options)
          .optional()
          .describe(
            'The kind of the deliveries. If omitted, Guest Updates and guest webhooks; with `destination`, all kinds.',
          ),
        state: deliveryStateSchema.optional(),
        destination: z.string().min(1).max(100).optional(),
        waiverId: waiverIdSchema.optional(),
        errorCode: z.enum(outboundErrorCodes).optional().describe('The error code of a failed attempt.'),
        status: z.coerce
          .number()
          .int()
          .min(100)
          .max(599)
          .optional()
          .describe('The status of the response to a failed attempt.'),
        since: timeSchema.optional().describe('Only deliveries created at or after this date-time.'),
        until: timeSchema.optional().describe('Only deliveries created before this date-time.'),
        ...pageQueryFields,
      }),
      response: { 200: pageSchema(deliveryItemSchema) },
    },
    handler: async ({ query: { limit, cursor, pool, ...filter }, caller }) => {
      const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
      return pageOf(
        store.deliveries.list({ ...filter, pools: poolsToShow(caller, pool) }, page),
        (delivery) => deliveryItem(delivery, caller),
      );
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'delivery', audited: true },
    method: 'GET',
    url: '/v1/admin/deliveries/:id',
    schema: {
      operationId: 'readDelivery',
      summary: 'Read a delivery, its body and its attempts',
      params: idPathSchema,
      response: { 200: deliveryDetailSchema },
    },
    handler: async ({ params, caller }) => {
      const delivery = await store.deliveries.get(params.id);
      if (!delivery) throw deliveryNotFound();
      return deliveryDetail(delivery, caller);
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'delivery', audited: true },
    method: 'GET',
    url: '/v1/admin/deliveries/:id/lane',
    schema: {
      operationId: 'readLane',
      summary: 'Read the deliveries waiting before and after a delivery',
      description:
        'Returns the lane of a delivery: the messages of one waiver or booking to one destination, which are sent one at a time, in order.',
      params: idPathSchema,
      response: { 200: laneSchema },
    },
    handler: async ({ params, caller }) => {
      const lane = await store.deliveries.lane(params.id);
      if (!lane) throw deliveryNotFound();
      return laneAnswer(lane, caller);
    },
  });

  app.route({
    config: {
      access: 'operator',
      poolCheck: 'delivery',
      problems: { 409: 'The installation or the webhook that the delivery was for has been removed.' },
    },
    method: 'POST',
    url: '/v1/admin/deliveries/:id/retry',
    schema: {
      operationId: 'retryDelivery',
      summary: 'Send a delivery again',
      description:
        'If a delivery of a newer version of the waiver to the same destination and booking exists, the newest is retried instead. `deliveryId` is the delivery that is retried.',
      params: idPathSchema,
      response: { 202: z.object({ deliveryId: z.string() }) },
    },
    handler: async ({ params }, reply) => {
      const retried = await store.deliveries.retry(params.id);
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
};
