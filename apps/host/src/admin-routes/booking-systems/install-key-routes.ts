import { z } from 'zod';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { bookingSystemIdPathSchema, bookingSystemPathSchema } from '../admin-paths.ts';
import { keyItem, keyItemSchema } from '../key-item.ts';
import { noContentSchema } from '../no-content.ts';

/** The global install keys of a booking system (contract 5): several may be valid at once. */
export const installKeyRoutes: RouteModule = (app, { store, bookingSystems }) => {
  const url = '/v1/admin/booking-systems/:booking_system/install-keys';

  app.route({
    config: { access: 'owner' },
    method: 'POST',
    url,
    schema: {
      operationId: 'createInstallKey',
      summary: 'Create an install key, which is shown only once',
      params: bookingSystemPathSchema,
      response: { 201: z.object({ id: z.string(), key: z.string() }) },
    },
    handler: async ({ params }, reply) => {
      const { installName } = bookingSystems.resolve(params.booking_system);
      return reply.code(201).send(await store.installKeys.create(installName));
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listInstallKeys',
      summary: 'List the install keys of a booking system',
      params: bookingSystemPathSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(keyItemSchema) },
    },
    handler: async ({ params, query }) => {
      const { installName } = bookingSystems.resolve(params.booking_system);
      return pageOf(store.installKeys.list(installName, query), keyItem);
    },
  });

  app.route({
    config: { access: 'owner' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteInstallKey',
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
