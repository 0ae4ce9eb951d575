import { z } from 'zod';
import type { RouteModule } from '../../http/host-app.ts';
import { bookingSystemPathSchema } from '../admin-paths.ts';
import { addressSchema, checkAddress } from '../checked-address.ts';
import { requireConsent, sendCredentialsToSchema, usualAddressOf } from '../credentials-consent.ts';
import {
  bookingSystemDetail,
  bookingSystemDetailSchema,
  bookingSystemItem,
  bookingSystemItemSchema,
} from './booking-system-answer.ts';
import { changedSettings } from './changed-settings.ts';

const bodySchema = z.strictObject({
  baseUrl: addressSchema
    .optional()
    .describe('The base address of the booking system’s API (`{booking_api}` in the contract).'),
  sendCredentialsTo: sendCredentialsToSchema,
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The plugin’s settings by name. Omitted settings stay unchanged; null removes a setting.'),
});

export const bookingSystemRoutes: RouteModule = (app, services) => {
  const { store, bookingSystems } = services;
  const { outboundTimeout } = services.settings;

  app.route({
    config: { access: 'viewer', poolCheck: 'none' },
    method: 'GET',
    url: '/v1/admin/booking-systems',
    schema: {
      operationId: 'listBookingSystems',
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
      summary: 'Read one booking system, with the schemas of its settings and accounts',
      params: bookingSystemPathSchema,
      response: { 200: bookingSystemDetailSchema },
    },
    handler: async ({ params }) => {
      const plugin = bookingSystems.resolve(params.booking_system);
      const set = await store.bookingSystems.get(plugin.installName);
      return bookingSystemDetail(plugin, set, outboundTimeout);
    },
  });

  app.route({
    config: {
      access: 'owner',
      problems: {
        409: 'Stored credentials would be sent to another server, and `sendCredentialsTo` does not allow it.',
      },
    },
    method: 'PUT',
    url: '/v1/admin/booking-systems/:booking_system',
    schema: {
      operationId: 'configureBookingSystem',
      summary: 'Configure a booking system',
      description: 'Omitted fields stay unchanged. The values of settings are never returned.',
      params: bookingSystemPathSchema,
      body: bodySchema,
      response: { 200: bookingSystemDetailSchema },
    },
    handler: async ({ params, body }) => {
      const plugin = bookingSystems.resolve(params.booking_system);
      const { installName } = plugin;
      const { baseUrl, sendCredentialsTo, settings } = body;
      const former = await store.bookingSystems.get(installName);
      const current = former?.settings ?? {};
      if (baseUrl !== undefined) {
        await checkAddress(services, 'baseUrl', baseUrl);
        const accounts = await store.installations.countAtUsualAddress(installName);
        const from = usualAddressOf(plugin, former);
        if (accounts > 0 || Object.keys(current).length > 0)
          requireConsent({ from, to: baseUrl, sendCredentialsTo, accounts });
      }
      const set = await store.bookingSystems.put(installName, {
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(settings === undefined ? {} : { settings: changedSettings(plugin, current, settings) }),
      });
      return bookingSystemDetail(plugin, set, outboundTimeout);
    },
  });
};
