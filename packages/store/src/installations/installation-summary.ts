import type { AccountId } from '@waiver-service/core';
import type { Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { VendorWebhookTable } from '../database/tables-configuration.ts';
import type { WebhookRegistration } from '../vendor-webhooks/vendor-webhooks.ts';
import { accountIdOf } from './installation.ts';

/** An installation as an operator sees it: without the apiKey and the account information. */
export interface InstallationSummary {
  readonly bookingSystem: string;
  readonly accountId: AccountId;
  readonly installedAt: Date;
  /**
   * `pending` awaits an operator's approval: until then nothing is read or sent. `needs_attention`: the booking system has
   * refused its authorization.
   */
  readonly status: 'active' | 'pending' | 'needs_attention';
  /** Why it needs attention, and since when. */
  readonly attention?: { readonly since: Date; readonly reason: string };
  /** Whether its destination is paused, so that no Guest Updates are sent. */
  readonly paused: boolean;
  /** Null if no approval was needed. */
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
  /** Instead of the booking system's own address. */
  readonly baseUrl: string | null;
  readonly environment: 'live' | 'test' | null;
  readonly shareProperties: readonly string[];
  /** Null if nothing was ever shared. */
  readonly shareAllowedBy: string | null;
  readonly shareAllowedAt: Date | null;
  /** Of Guest Updates. */
  readonly lastSuccessAt?: Date;
  readonly lastFailure?: { readonly at: Date; readonly errorCode?: string; readonly status?: number };
  /** If the service registers its webhooks. */
  readonly webhooks?: WebhookRegistration;
}

/** The installations of a pool, without uninstalled ones, by install name. */
export async function listInstallations(database: Database, pool: string): Promise<InstallationSummary[]> {
  const rows = await database
    .selectFrom('installation')
    .innerJoin('destination', 'destination.id', 'installation.destination_id')
    .leftJoin('booking_system_session as session', 'session.destination', 'installation.destination_id')
    .leftJoin('vendor_webhook', 'vendor_webhook.destination', 'installation.destination_id')
    .select([
      'vendor_webhook.state as webhook_state',
      'vendor_webhook.registered_at as webhook_registered_at',
      'vendor_webhook.failed_at as webhook_failed_at',
      'vendor_webhook.failure_code as webhook_failure_code',
      'vendor_webhook.failure_message as webhook_failure_message',
      'installation.booking_system',
      'installation.account_id',
      'installation.account_id_is_number',
      'installation.installed_at',
      'installation.base_url',
      'installation.environment',
      'installation.share_properties',
      'installation.share_allowed_by',
      'installation.share_allowed_at',
      'installation.approved_by',
      'installation.approved_at',
      'installation.status',
      'session.lost_since',
      'session.lost_reason',
      'destination.status as destination_status',
      'destination.last_success_at',
      'destination.last_failure_at',
      'destination.last_failure_code',
      'destination.last_failure_status',
    ])
    .where('installation.pool', '=', pool)
    .where('installation.status', '<>', 'uninstalled')
    .orderBy('installation.booking_system')
    .execute();
  return rows.map((row) => ({
    bookingSystem: row.booking_system,
    accountId: accountIdOf(row.account_id ?? '', row.account_id_is_number),
    installedAt: row.installed_at,
    status: row.status === 'pending' ? 'pending' : row.lost_since === null ? 'active' : 'needs_attention',
    paused: row.destination_status === 'paused',
    approvedBy: row.approved_by,
    approvedAt: row.approved_at,
    baseUrl: row.base_url,
    environment: row.environment,
    shareProperties: row.share_properties,
    shareAllowedBy: row.share_allowed_by,
    shareAllowedAt: row.share_allowed_at,
    ...(row.lost_since === null
      ? {}
      : { attention: { since: row.lost_since, reason: row.lost_reason ?? '' } }),
    ...(row.last_success_at === null ? {} : { lastSuccessAt: row.last_success_at }),
    ...(row.last_failure_at === null
      ? {}
      : {
          lastFailure: {
            at: row.last_failure_at,
            ...(row.last_failure_code === null ? {} : { errorCode: row.last_failure_code }),
            ...(row.last_failure_status === null ? {} : { status: row.last_failure_status }),
          },
        }),
    ...webhooksOf(row),
  }));
}

interface WebhookColumns {
  readonly webhook_state: Selectable<VendorWebhookTable>['state'] | null;
  readonly webhook_registered_at: Date | null;
  readonly webhook_failed_at: Date | null;
  readonly webhook_failure_code: string | null;
  readonly webhook_failure_message: string | null;
}

function webhooksOf(row: WebhookColumns): Pick<InstallationSummary, 'webhooks'> {
  const { webhook_state: state, webhook_registered_at: registeredAt, webhook_failed_at: at } = row;
  if (state === null || state === 'off' || state === 'removing') return {};
  const [code, message] = [row.webhook_failure_code ?? '', row.webhook_failure_message ?? ''];
  return {
    webhooks: {
      state,
      ...(registeredAt === null ? {} : { registeredAt }),
      ...(at === null ? {} : { lastFailure: { at, code, message } }),
    },
  };
}
