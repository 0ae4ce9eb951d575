import { randomBytes } from 'node:crypto';
import {
  approveInstallation,
  authorizeInstallation,
  deleteInstallation,
  type installationChangeSchema,
  listInstallations,
  putInstallation,
  shareAnswers,
} from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { personOf } from '../../authentication/caller.ts';
import { authorizingBrowserOf, setAuthorizingBrowser } from '../../authentication/session-cookie.ts';
import { AuthorizationVisits } from '../../booking-systems/authorization-visits.ts';
import { BookingSystemResolver } from '../../booking-systems/booking-system-resolver.ts';
import { BaseUrl, Outbound, Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem, malformed } from '../../http/http-problem.ts';
import { installAccount, uninstallAccount } from '../../integration/install-account.ts';
import { HostSettings } from '../../settings/host-settings.ts';
import { requirePool } from '../admin-paths.ts';
import { requireConsent, usualAddressOf } from '../credentials-consent.ts';
import { checkInstallationAddress, type PoolPlugin } from './installation-address.ts';
import { installationAnswer } from './installation-answer.ts';

const notInstalled = (installName: string) =>
  new HttpProblem(404, 'not_installed', `${installName} is not installed for this pool.`);

@injectable()
export class InstallationRoutes implements RouteModule {
  constructor(
    @inject(HostSettings) readonly settings: HostSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(Store) readonly store: Store,
    @inject(Outbound) readonly outbound: Outbound,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(AuthorizationVisits) readonly authorizationVisits: AuthorizationVisits,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems, authorizationVisits, baseUrl } = this;

    /** @throws HttpProblem 409 `credentials_go_elsewhere` */
    async function requireConsentFor(
      { pool, plugin }: PoolPlugin,
      { baseUrl, sendCredentialsTo }: z.infer<typeof installationChangeSchema>,
    ): Promise<void> {
      if (baseUrl === undefined) return;
      const installation = await store.installations.get(pool, plugin.installName);
      if (installation === undefined) return;
      const usual = usualAddressOf(plugin, await store.bookingSystems.get(plugin.installName));
      const from = installation.baseUrl ?? usual;
      const to = baseUrl ?? usual;
      // A vendor's own addresses come from the plugin, so no mistake can lead there.
      if (to !== undefined && URL.canParse(to)) requireConsent({ from, to, sendCredentialsTo, accounts: 1 });
    }

    app.route({
      ...listInstallations,
      handler: async ({ params }) => {
        await requirePool(this, params.pool);
        return { items: (await store.installations.list(params.pool)).map(installationAnswer) };
      },
    });

    app.route({
      ...putInstallation,
      handler: async ({ params: { pool, booking_system: installName }, body, caller }) => {
        const { baseUrl, environment, ...account } = body;
        const address = { baseUrl, environment };
        const plugin = bookingSystems.resolve(installName);
        await checkInstallationAddress(this, { pool, plugin }, address, caller);
        const { webhookUrl, apiKey } = await installAccount(this, {
          installName,
          pool,
          account,
          address,
          madeBy: 'operator',
          approvedBy: personOf(caller).actor,
        });
        return { webhookUrl, apiKey };
      },
    });

    app.route({
      ...shareAnswers,
      handler: async ({ params: { pool, booking_system }, body, caller }) => {
        const plugin = bookingSystems.resolve(booking_system);
        const { installName } = plugin;
        await requirePool(this, pool);
        const { shareProperties, shareDocument, sendCredentialsTo: _, ...address } = body;
        if (shareDocument === true && !plugin.capabilities.takes.includes('files')) {
          throw malformed([{ path: 'shareDocument', message: `${plugin.displayName} takes no documents` }]);
        }
        await checkInstallationAddress(this, { pool, plugin }, address, caller);
        await requireConsentFor({ pool, plugin }, body);
        // Changes nothing if neither `baseUrl` nor `environment` is given.
        let changed = await store.installations.setAddress(pool, installName, address);
        if (changed && (shareProperties !== undefined || shareDocument !== undefined)) {
          const allowedBy = personOf(caller).actor;
          const shared = { shareProperties, shareDocument, allowedBy };
          changed = await store.installations.share({ pool, bookingSystem: installName, ...shared });
        }
        if (changed) return installationAnswer(changed);
        throw notInstalled(installName);
      },
    });

    app.route({
      ...deleteInstallation,
      handler: async ({ params: { pool, booking_system: installName } }) => {
        const { message } = await uninstallAccount(this, { installName, pool });
        return { success: true as const, message };
      },
    });

    app.route({
      ...approveInstallation,
      handler: async ({ params: { pool, booking_system }, caller }) => {
        const { installName } = bookingSystems.resolve(booking_system);
        await requirePool(this, pool);
        const approved = await store.installations.approve(pool, installName, personOf(caller).actor);
        if (approved) return installationAnswer(approved);
        throw notInstalled(installName);
      },
    });

    app.route({
      ...authorizeInstallation,
      handler: async (request, reply) => {
        const { pool, booking_system } = request.params;
        const { installName } = bookingSystems.resolve(booking_system);
        await requirePool(this, pool);
        // Reuses the browser's secret, so that several installations can be authorized side by side.
        const browser = authorizingBrowserOf(request, baseUrl()) ?? randomBytes(32).toString('base64url');
        const visit = await authorizationVisits.begin(pool, installName, browser);
        setAuthorizingBrowser(reply, baseUrl(), browser, visit.expiresAt.getTime() - Date.now());
        return visit;
      },
    });
  }
}
