import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import type { RouteModule } from '../../http/host-app.ts';
import type { HostSettings } from '../../settings/host-settings.ts';
import { bookingSystemPathSchema } from '../admin-paths.ts';
import { addressSchema, checkAddress } from '../checked-address.ts';
import { bookingSystemDetail, bookingSystemDetailSchema } from './booking-system-answer.ts';
import { changedSettings } from './changed-settings.ts';

const bodySchema = z.strictObject({
  baseUrl: addressSchema.optional().describe('{booking_api}: the base address of the booking system’s API.'),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The plugin’s own settings: omitted ones stay as they are, null removes one.'),
});

interface Services {
  readonly store: Pick<Store, 'bookingSystems'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly settings: Pick<HostSettings, 'outboundTimeout'>;
  readonly outbound: Pick<Outbound, 'checkUrl'>;
}

/** `PUT /v1/admin/booking-systems/{booking_system}`: sets its base address and settings. */
export const configureBookingSystemRoute: RouteModule<Services> = (app, services) => {
  const { store, bookingSystems, settings: hostSettings } = services;
  app.route({
    config: { access: 'owner' },
    method: 'PUT',
    url: '/v1/admin/booking-systems/:booking_system',
    schema: {
      operationId: 'configureBookingSystem',
      tags: ['Operators'],
      summary: 'Configure a booking system',
      description: 'Omitted fields stay as they are. Values of settings are never shown again.',
      params: bookingSystemPathSchema,
      body: bodySchema,
      response: { 200: bookingSystemDetailSchema },
    },
    handler: async ({ params, body }) => {
      const plugin = bookingSystems.resolve(params.booking_system);
      const { installName } = plugin;
      const { baseUrl, settings } = body;
      if (baseUrl !== undefined) await checkAddress(services, 'baseUrl', baseUrl);
      const current = (await store.bookingSystems.get(installName))?.settings ?? {};
      const set = await store.bookingSystems.put(installName, {
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(settings === undefined ? {} : { settings: changedSettings(plugin, current, settings) }),
      });
      return bookingSystemDetail(plugin, set, hostSettings.outboundTimeout);
    },
  });
};
