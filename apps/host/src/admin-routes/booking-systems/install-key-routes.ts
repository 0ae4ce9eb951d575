import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { bookingSystemIdPathSchema, bookingSystemPathSchema } from '../admin-paths.ts';
import { keyItem, keyItemSchema } from '../key-item.ts';
import { noContentSchema } from '../no-content.ts';

interface Services {
  readonly store: Pick<Store, 'installKeys'>;
  readonly bookingSystems: BookingSystemResolver;
}

const newKeySchema = z
  .strictObject({
    key: z
      .string()
      .regex(
        /^wsi_(?:[a-z][a-z0-9-]{0,30}\.)?[A-Za-z0-9_-]{43}$/,
        'must be an install key as the service creates them',
      )
      .optional()
      .describe('An install key that another cell has created.'),
  })
  .nullish();

/** The global install keys of a booking system (contract 5): several may be valid at once. */
export const installKeyRoutes: RouteModule<Services> = (app, { store, bookingSystems }) => {
  const url = '/v1/admin/booking-systems/:booking_system/install-keys';

  app.route({
    config: { access: 'owner', problems: { 409: 'The key is one of another booking system.' } },
    method: 'POST',
    url,
    schema: {
      operationId: 'createInstallKey',
      tags: ['Operators'],
      summary: 'Create an install key, which is shown only once',
      description:
        'With a `key`, that one is added, which another cell has created: booking systems call any cell, with one key.',
      params: bookingSystemPathSchema,
      body: newKeySchema,
      response: { 201: z.object({ id: z.string(), key: z.string() }) },
    },
    handler: async ({ params, body }, reply) => {
      const { installName } = bookingSystems.resolve(params.booking_system);
      const key = body?.key;
      if (key === undefined) return reply.code(201).send(await store.installKeys.create(installName));
      const added = await store.installKeys.add(installName, key);
      if (added === undefined) {
        throw new HttpProblem(
          409,
          'install_key_exists',
          'This is the install key of another booking system.',
        );
      }
      return reply.code(201).send({ id: added.id, key });
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listInstallKeys',
      tags: ['Operators'],
      summary: 'List the install keys of a booking system',
      params: bookingSystemPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(keyItemSchema) },
    },
    handler: async ({ params, query }) => {
      const { installName } = bookingSystems.resolve(params.booking_system);
      const { items, next } = await pageOrProblem(store.installKeys.list(installName, query));
      return { items: items.map(keyItem), next };
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteInstallKey',
      tags: ['Operators'],
      summary: 'Revoke an install key',
      params: bookingSystemIdPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params }, reply) => {
      const { installName } = bookingSystems.resolve(params.booking_system);
      if (await store.installKeys.remove(installName, params.id)) return reply.code(204).send(null);
      throw new HttpProblem(404, 'install_key_not_found', `${installName} has no install key with this id.`);
    },
  });
};
