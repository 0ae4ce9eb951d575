import type { AccountId } from '@waiver-service/core';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { accountIdOf } from './installation.ts';
import type { WebhookRegistration, WebhookState } from './vendor-webhooks.ts';

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
  /** Overrides the booking system's usual address. */
  readonly baseUrl: string | null;
  readonly environment: 'live' | 'test' | null;
  readonly shareProperties: readonly string[];
  readonly shareDocument: boolean;
  /** Null if nothing was ever shared. */
  readonly shareAllowedBy: string | null;
  readonly shareAllowedAt: Date | null;
  /** Of Guest Updates. */
  readonly lastSuccessAt?: Date;
  readonly lastFailure?: { readonly at: Date; readonly errorCode?: string; readonly status?: number };
  /** Set if the service registers its webhooks. */
  readonly webhooks?: WebhookRegistration;
}

interface Row
  extends Omit<
    InstallationSummary,
    'accountId' | 'status' | 'attention' | 'lastSuccessAt' | 'lastFailure' | 'webhooks'
  > {
  readonly account_id: string;
  readonly account_id_is_number: boolean;
  readonly status: 'installed' | 'pending';
  readonly lost_since: Date | null;
  readonly lost_reason: string | null;
  readonly last_success_at: Date | null;
  readonly last_failure_at: Date | null;
  readonly last_failure_code: string | null;
  readonly last_failure_status: number | null;
  readonly webhook_state: WebhookState | null;
  readonly registered_at: Date | null;
  readonly failed_at: Date | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
}

/** The installations of a pool, without uninstalled ones, by install name. */
export async function listInstallations(database: Database, pool: string): Promise<InstallationSummary[]> {
  const { rows } = await sql<Row>`
select i.booking_system as "bookingSystem", i.account_id, i.account_id_is_number, i.installed_at as "installedAt",
  i.status, d.status = 'paused' as paused, i.approved_by as "approvedBy", i.approved_at as "approvedAt",
  i.base_url as "baseUrl", i.environment, i.share_properties as "shareProperties",
  i.share_document as "shareDocument",
  i.share_allowed_by as "shareAllowedBy", i.share_allowed_at as "shareAllowedAt", s.lost_since, s.lost_reason,
  d.last_success_at, d.last_failure_at, d.last_failure_code, d.last_failure_status,
  w.state as webhook_state, w.registered_at, w.failed_at, w.failure_code, w.failure_message
from installation i
join destination d on d.id = i.destination_id
left join booking_system_session s on s.destination = i.destination_id
left join vendor_webhook w on w.destination = i.destination_id
where i.pool = ${pool} and i.status <> 'uninstalled'
order by i.booking_system`.execute(database);
  return rows.map((row) => ({
    bookingSystem: row.bookingSystem,
    accountId: accountIdOf(row.account_id, row.account_id_is_number),
    installedAt: row.installedAt,
    status: row.status === 'pending' ? 'pending' : row.lost_since === null ? 'active' : 'needs_attention',
    paused: row.paused,
    approvedBy: row.approvedBy,
    approvedAt: row.approvedAt,
    baseUrl: row.baseUrl,
    environment: row.environment,
    shareProperties: row.shareProperties,
    shareDocument: row.shareDocument,
    shareAllowedBy: row.shareAllowedBy,
    shareAllowedAt: row.shareAllowedAt,
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

function webhooksOf(row: Row): Pick<InstallationSummary, 'webhooks'> {
  const { webhook_state: state, registered_at: registeredAt, failed_at: at } = row;
  if (state === null || state === 'off' || state === 'removing') return {};
  return {
    webhooks: {
      state,
      ...(registeredAt === null ? {} : { registeredAt }),
      ...(at === null
        ? {}
        : { lastFailure: { at, code: row.failure_code ?? '', message: row.failure_message ?? '' } }),
    },
  };
}
