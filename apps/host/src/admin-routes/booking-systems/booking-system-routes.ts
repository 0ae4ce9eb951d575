import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import type { RouteModule } from '../../http/host-app.ts';
import type { HostSettings } from '../../settings/host-settings.ts';
import { bookingSystemPathSchema } from '../admin-paths.ts';
import {
  bookingSystemDetail,
  bookingSystemDetailSchema,
  bookingSystemItem,
  bookingSystemItemSchema,
} from './booking-system-answer.ts';

interface Services {
  readonly store: Pick<Store, 'bookingSystems'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly settings: Pick<HostSettings, 'outboundTimeout'>;
}

/** The available booking systems and their configuration. */
export const bookingSystemRoutes: RouteModule<Services> = (app, { store, bookingSystems, settings }) => {
  app.route({
    config: { access: 'viewer', poolCheck: 'none' },
    method: 'GET',
    url: '/v1/admin/booking-systems',
    schema: {
      operationId: 'listBookingSystems',
      tags: ['Operators'],
      summary: 'List the available booking systems',
      response: { 200: z.object({ items: z.array(bookingSystemItemSchema) }) },
    },
    handler: async () => {
      const set = new Map((await store.bookingSystems.list()).map((one) => [one.installName, one]));
      const items = bookingSystems
        .manifests()
        .map(({ installName }) =>
          bookingSystemItem(bookingSystems.resolve(installName), set.get(installName)),
        );
      return { items };
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'none' },
    method: 'GET',
    url: '/v1/admin/booking-systems/:booking_system',
    schema: {
      operationId: 'readBookingSystem',
      tags: ['Operators'],
      summary: 'Read one booking system, with the schemas of its settings and accounts',
      params: bookingSystemPathSchema,
      response: { 200: bookingSystemDetailSchema },
    },
    handler: async ({ params }) => {
      const plugin = bookingSystems.resolve(params.booking_system);
      const set = await store.bookingSystems.get(plugin.installName);
      return bookingSystemDetail(plugin, set, settings.outboundTimeout);
    },
  });
};
