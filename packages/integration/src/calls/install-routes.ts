import { install, uninstall } from '@waiver-service/api';
import {
  type AccountId,
  accountIdSchema,
  type BookingSystemPlugin,
  describeIssue,
  partnerApiKeySchema,
  storedGuestId,
} from '@waiver-service/core';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, malformed, problemDetails, unknownPool } from '@waiver-service/http';
import type { AddressChange } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { BaseUrl, IntegrationSettings, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { bookingSystemOfPath, KeyThrottle, requireInstallKey, webhookUrlOf } from './install-key.ts';

interface InstallServices {
  readonly store: Pick<Store, 'installations'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly settings: Pick<IntegrationSettings, 'keyOverlap'>;
  readonly baseUrl: () => string;
}

/** An installation to create. */
interface InstallRequest {
  readonly installName: string;
  readonly pool: string;
  /** `accountId`, `apiKey` and additional account information (contract 2.7). */
  readonly account: unknown;
  readonly madeBy: 'booking-system' | 'operator';
  /** Checked by the caller. */
  readonly address?: AddressChange | undefined;
  /** The actor of the operator who installs it. */
  readonly approvedBy?: string;
}

/** The response to the booking system. `apiKey` is the new app pool key, which is not shown again. */
interface InstalledAccountAnswer {
  readonly outcome: 'installed' | 'reinstalled';
  /** Whether it needs an operator's approval. */
  readonly pending: boolean;
  readonly webhookUrl: string;
  readonly apiKey: string;
}

const accountFieldsSchema = z.looseObject({ accountId: accountIdSchema, apiKey: partnerApiKeySchema });

interface AccountFields {
  readonly accountId: AccountId;
  readonly apiKey: string;
  readonly information: Record<string, unknown>;
}

/** An account with its id, which the contract's install always has and an operator may have given by another field. */
function withAccountId({ accountIdField }: BookingSystemPlugin, account: unknown): unknown {
  const fields = z.looseObject({}).safeParse(account);
  if (accountIdField === undefined || !fields.success) return account;
  const { accountId = fields.data[accountIdField] } = fields.data;
  if (accountId === undefined) throw malformed([{ path: accountIdField, message: 'is missing' }]);
  return { ...fields.data, accountId };
}

function readAccount(
  plugin: BookingSystemPlugin,
  { account, madeBy }: Pick<InstallRequest, 'account' | 'madeBy'>,
): AccountFields {
  const given = madeBy === 'operator' ? withAccountId(plugin, account) : account;
  const fields = accountFieldsSchema.safeParse(given, { error: describeIssue });
  if (!fields.success) throw malformed(problemDetails(fields.error));
  const { accountId, apiKey, ...information } = fields.data;
  const checked = plugin.accountSchema.safeParse(
    { ...information, accountId, apiKey },
    { error: describeIssue },
  );
  if (!checked.success) throw malformed(problemDetails(checked.error));
  // A booking system that installs itself cannot grant itself permissions.
  const withheld = madeBy === 'operator' ? [] : (plugin.capabilities.permissions ?? []);
  for (const permission of withheld) delete information[permission];
  // Stored as received, including fields that this version of the plugin does not know; parsed again at each use.
  return { accountId, apiKey, information };
}

function reasonToAuthorize({ displayName, installName, session }: BookingSystemPlugin, pool: string) {
  if (session?.grant !== 'authorization-code') return undefined;
  const path = `/v1/admin/pools/${encodeURIComponent(pool)}/installations/${installName}/authorize`;
  return `${displayName} has not been authorized for this installation: authorize it at the address that POST ${path} gives`;
}

/**
 * Installs a booking system for a pool (contract 4.4), on behalf of the booking system or of an operator.
 * @throws HttpProblem 400 for the account's fields, 404 `unknown_booking_system` or `unknown_pool`, 409 `other_account`
 */
export async function installAccount(
  services: InstallServices,
  request: InstallRequest,
): Promise<InstalledAccountAnswer> {
  const { store, bookingSystems, settings, baseUrl } = services;
  const { installName, pool, madeBy, approvedBy } = request;
  const plugin = bookingSystems.resolve(installName);
  const { accountId, apiKey, information } = readAccount(plugin, request);
  const result = await store.installations.install({
    bookingSystem: installName,
    pool,
    accountId,
    apiKey,
    information,
    writeUnit: plugin.writeUnit,
    guestId: storedGuestId(plugin),
    takesGuestUpdates: plugin.capabilities.guestUpdate,
    registersWebhooks: plugin.webhooks !== undefined,
    requestLimits: plugin.capabilities.requestLimits,
    needsAuthorization: reasonToAuthorize(plugin, pool),
    keyOverlapMs: settings.keyOverlap,
    madeBy,
    address: request.address,
    approvedBy,
  });
  if (result.outcome === 'unknown-pool') throw unknownPool(pool);
  if (result.outcome === 'other-account') {
    throw new HttpProblem(
      409,
      'other_account',
      `${installName} is installed for this pool with another account: uninstall that one first.`,
    );
  }
  const { outcome, pending, poolKey } = result;
  return { outcome, pending, webhookUrl: webhookUrlOf(plugin, baseUrl(), poolKey), apiKey: poolKey };
}

/** An installation to remove. */
interface UninstallRequest {
  readonly installName: string;
  readonly pool: string;
  /** Absent if an operator uninstalls, whatever the account is. */
  readonly accountId?: AccountId;
}

/**
 * Uninstalls a booking system for a pool (contract 4.5). Succeeds even if it is not installed.
 * @returns a sentence about the result
 * @throws HttpProblem 404 `unknown_booking_system` or `unknown_pool`, 403 `other_account`
 */
export async function uninstallAccount(
  { store, bookingSystems }: Pick<InstallServices, 'store' | 'bookingSystems'>,
  { installName, pool, accountId }: UninstallRequest,
): Promise<{ readonly message: string }> {
  bookingSystems.resolve(installName);
  const { outcome } = await store.installations.uninstall({
    bookingSystem: installName,
    pool,
    ...(accountId === undefined ? {} : { accountId }),
  });
  if (outcome === 'unknown-pool') throw unknownPool(pool);
  if (outcome === 'other-account') {
    throw new HttpProblem(
      403,
      'other_account',
      `${installName} is installed for this pool with another account.`,
    );
  }
  return {
    message:
      outcome === 'uninstalled'
        ? `${installName} is no longer installed for this pool.`
        : `${installName} was not installed for this pool.`,
  };
}

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
    @inject(IntegrationSettings) readonly settings: IntegrationSettings,
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
