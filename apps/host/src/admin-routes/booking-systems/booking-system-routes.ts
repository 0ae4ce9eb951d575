import { configureBookingSystem, listBookingSystems, readBookingSystem } from '@waiver-service/api';
import type { RouteModule } from '../../http/host-app.ts';
import { checkAddress } from '../checked-address.ts';
import { requireConsent, usualAddressOf } from '../credentials-consent.ts';
import { bookingSystemDetail, bookingSystemItem } from './booking-system-answer.ts';
import { changedSettings } from './changed-settings.ts';

export const bookingSystemRoutes: RouteModule = (app, services) => {
  const { store, bookingSystems } = services;
  const { outboundTimeout } = services.settings;

  app.route({
    ...listBookingSystems,
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
    ...readBookingSystem,
    handler: async ({ params }) => {
      const plugin = bookingSystems.resolve(params.booking_system);
      const set = await store.bookingSystems.get(plugin.installName);
      return bookingSystemDetail(plugin, set, outboundTimeout);
    },
  });

  app.route({
    ...configureBookingSystem,
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
