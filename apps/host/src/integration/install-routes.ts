import { install, uninstall } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { BaseUrl, Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { type InstalledAccountAnswer, installAccount, uninstallAccount } from './install-account.ts';
import { bookingSystemOfPath, KeyThrottle, requireInstallKey } from './install-key.ts';

function installMessage(
  installName: string,
  outcome: InstalledAccountAnswer['outcome'],
  pending: boolean,
): string {
  const done =
    outcome === 'installed'
      ? `${installName} is installed for this pool.`
      : `${installName} is installed again for this pool; the former app pool key ends soon.`;
  return pending ? `${done} It begins to work when the operator has approved it.` : done;
}

/** Install and uninstall (contract 4.4, 4.5). */
@injectable()
export class InstallRoutes implements RouteModule {
  constructor(
    @inject(HostSettings) readonly settings: HostSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(Store) readonly store: Store,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(KeyThrottle) readonly keyThrottle: KeyThrottle,
  ) {}

  addRoutes(app: HostApp): void {
    const { bookingSystems, keyThrottle } = this;

    const guard = {
      onRequest: async (request: Parameters<typeof bookingSystemOfPath>[0]) => {
        bookingSystems.resolve(bookingSystemOfPath(request));
      },
      preValidation: requireInstallKey(this, keyThrottle),
    };

    app.route({
      ...install,
      ...guard,
      handler: async (request) => {
        const { key: _installKey, pool, ...account } = request.body;
        const installName = request.params.booking_system;
        const { outcome, pending, webhookUrl, apiKey } = await installAccount(this, {
          installName,
          pool,
          account,
          madeBy: 'booking-system',
        });
        if (pending) {
          request.log.info({ pool, bookingSystem: installName }, 'an installation waits for approval');
        }
        const message = installMessage(installName, outcome, pending);
        return { success: true as const, message, webhookUrl, apiKey };
      },
    });

    app.route({
      ...uninstall,
      ...guard,
      handler: async (request) => {
        const { pool, accountId } = request.body;
        const { message } = await uninstallAccount(this, {
          installName: request.params.booking_system,
          pool,
          accountId,
        });
        return { success: true as const, message };
      },
    });
  }
}
