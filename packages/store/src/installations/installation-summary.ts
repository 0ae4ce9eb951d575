import type { AccountId } from '@waiver-service/core';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
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
  readonly accountId: string;
  readonly accountIdIsNumber: boolean;
  readonly status: 'installed' | 'pending';
  readonly lostSince: Date | null;
  readonly lostReason: string | null;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastFailureCode: string | null;
  readonly lastFailureStatus: number | null;
  readonly webhookState: WebhookState | null;
  readonly registeredAt: Date | null;
  readonly failedAt: Date | null;
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}

/** The installations of a pool, without uninstalled ones, by install name. */
export async function listInstallations(database: Database, pool: string): Promise<InstallationSummary[]> {
  const { rows } = await sql<Row>`
select i.booking_system, i.account_id, i.account_id_is_number, i.installed_at,
  i.status, d.status = 'paused' as paused, i.approved_by, i.approved_at,
  i.base_url, i.environment, i.share_properties,
  i.share_document,
  i.share_allowed_by, i.share_allowed_at, s.lost_since, s.lost_reason,
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
    accountId: accountIdOf(row.accountId, row.accountIdIsNumber),
    installedAt: row.installedAt,
    status: row.status === 'pending' ? 'pending' : row.lostSince === null ? 'active' : 'needs_attention',
    paused: row.paused,
    approvedBy: row.approvedBy,
    approvedAt: row.approvedAt,
    baseUrl: row.baseUrl,
    environment: row.environment,
    shareProperties: row.shareProperties,
    shareDocument: row.shareDocument,
    shareAllowedBy: row.shareAllowedBy,
    shareAllowedAt: row.shareAllowedAt,
    ...(row.lostSince === null ? {} : { attention: { since: row.lostSince, reason: row.lostReason ?? '' } }),
    ...(row.lastSuccessAt === null ? {} : { lastSuccessAt: row.lastSuccessAt }),
    ...(row.lastFailureAt === null
      ? {}
      : {
          lastFailure: {
            at: row.lastFailureAt,
            ...(row.lastFailureCode === null ? {} : { errorCode: row.lastFailureCode }),
            ...(row.lastFailureStatus === null ? {} : { status: row.lastFailureStatus }),
          },
        }),
    ...webhooksOf(row),
  }));
}

function webhooksOf(row: Row): Pick<InstallationSummary, 'webhooks'> {
  const { webhookState: state, registeredAt, failedAt: at } = row;
  if (state === null || state === 'off' || state === 'removing') return {};
  return {
    webhooks: {
      state,
      ...(registeredAt === null ? {} : { registeredAt }),
      ...(at === null
        ? {}
        : { lastFailure: { at, code: row.failureCode ?? '', message: row.failureMessage ?? '' } }),
    },
  };
}
