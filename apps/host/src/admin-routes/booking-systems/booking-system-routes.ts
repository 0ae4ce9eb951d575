import { configureBookingSystem, listBookingSystems, readBookingSystem } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import { Outbound, Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HostSettings } from '../../settings/host-settings.ts';
import { checkAddress } from '../checked-address.ts';
import { requireConsent, usualAddressOf } from '../credentials-consent.ts';
import { bookingSystemDetail, bookingSystemItem } from './booking-system-answer.ts';
import { changedSettings } from './changed-settings.ts';

@injectable()
export class BookingSystemRoutes implements RouteModule {
  constructor(
    @inject(HostSettings) readonly settings: HostSettings,
    @inject(Store) readonly store: Store,
    @inject(Outbound) readonly outbound: Outbound,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems } = this;
    const { outboundTimeout } = this.settings;

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
          await checkAddress(this, 'baseUrl', baseUrl);
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
  }
}
