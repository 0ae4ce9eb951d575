import { randomBytes } from 'node:crypto';
import {
  approveInstallation,
  authorizeInstallation,
  deleteInstallation,
  type installationAddressFields,
  type installationChangeSchema,
  listInstallations,
  putInstallation,
  shareAnswers,
} from '@waiver-service/api';
import type { BookingSystemPlugin } from '@waiver-service/core';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { type Caller, HttpProblem, isAtLeast, isPerson, malformed, personOf } from '@waiver-service/http';
import type { BookingSystemSettings } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { installAccount, uninstallAccount } from '../calls/install-routes.ts';
import { BaseUrl, IntegrationSettings, Outbound, Store } from '../given.ts';
import {
  AuthorizationVisits,
  authorizingBrowserOf,
  setAuthorizingBrowser,
} from '../plugins/authorization-visits.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { checkAddress, requirePool } from './admin-paths.ts';

/** A booking system's address, or words for the vendor's own addresses; undefined if none is known. */
export function usualAddressOf(
  { url }: BookingSystemPlugin,
  set: BookingSystemSettings | undefined,
): string | undefined {
  return set?.baseUrl ?? (url && 'the vendor’s own addresses');
}

/** A change of an address that stored credentials are sent to. */
interface AddressMove {
  /** See {@link usualAddressOf}. */
  readonly from: string | undefined;
  readonly to: string;
  /** Given by the owner. */
  readonly sendCredentialsTo: string | undefined;
  /** The number of installed accounts whose keys would be sent there. */
  readonly accounts: number;
}

/**
 * Requires an owner's consent before stored credentials are sent to another origin: an address can be changed without
 * knowing the credentials, so a mistake could leak them.
 * @throws HttpProblem 409 `credentials_go_elsewhere`
 */
export function requireConsent({ from, to, sendCredentialsTo, accounts }: AddressMove): void {
  if (from === undefined) return;
  const { origin } = new URL(to);
  const former = URL.parse(from)?.origin ?? from;
  if (former === origin) return;
  if (sendCredentialsTo !== undefined && URL.parse(sendCredentialsTo)?.origin === origin) return;
  throw new HttpProblem(
    409,
    'credentials_go_elsewhere',
    `The keys of ${accounts} installed accounts and the stored settings would be sent to ${origin}, and no longer to ${former}. If they may be, send the request again with "sendCredentialsTo": ${JSON.stringify(origin)}.`,
  );
}

type InstallationAddress = z.infer<z.ZodObject<typeof installationAddressFields>>;

interface Services {
  readonly outbound: Pick<Outbound, 'checkUrl'>;
  readonly store: { readonly installations: Pick<Store['installations'], 'list'> };
}

/** A booking system for a pool, installed or not. */
interface PoolPlugin {
  readonly pool: string;
  readonly plugin: BookingSystemPlugin;
}

async function hasBaseUrl({ store }: Services, { pool, plugin }: PoolPlugin): Promise<boolean> {
  const installations = await store.installations.list(pool);
  return installations.some(
    ({ bookingSystem, baseUrl }) => bookingSystem === plugin.installName && baseUrl !== null,
  );
}

/**
 * Checks an address before it is stored.
 * @throws HttpProblem 400 that names the field, 403 if only an owner may set it
 */
async function checkInstallationAddress(
  services: Services,
  of: PoolPlugin,
  { baseUrl, environment }: InstallationAddress,
  caller: Caller | null,
): Promise<void> {
  const { displayName, capabilities } = of.plugin;
  const { environments = [] } = capabilities;
  if (typeof environment === 'string' && !environments.includes(environment)) {
    const has = environments.length === 0 ? 'no environments' : `the environments ${environments.join(', ')}`;
    throw malformed([{ path: 'environment', message: `${displayName} has ${has}` }]);
  }
  if (baseUrl === undefined || (baseUrl === null && !(await hasBaseUrl(services, of)))) return;
  // The booking system's settings, which are secret and not the pool's, are sent to this address. Removing it sends the
  // account's key to another address.
  if (!isPerson(caller) || !isAtLeast(caller.role, 'owner')) {
    throw new HttpProblem(403, 'forbidden', 'Only an owner may set the base address of an installation.');
  }
  if (baseUrl !== null) await checkAddress(services, 'baseUrl', baseUrl);
}

const notInstalled = (installName: string) =>
  new HttpProblem(404, 'not_installed', `${installName} is not installed for this pool.`);

@injectable()
export class InstallationRoutes implements RouteModule {
  constructor(
    @inject(IntegrationSettings) readonly settings: IntegrationSettings,
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
        return { items: await store.installations.list(params.pool) };
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
        if (changed) return changed;
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
        if (approved) return approved;
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
