import type { InstallationSummary } from '@waiver-service/api';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { accountIdOf } from './installation.ts';
import type { WebhookState } from './vendor-webhooks.ts';

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
  return rows.map((row) => {
    const { lostSince, lostReason, lastFailureAt: at, lastFailureCode, lastFailureStatus, ...known } = row;
    const { webhookState, registeredAt, failedAt, failureCode, failureMessage, ...shown } = known;
    const { accountIdIsNumber, ...installation } = shown;
    return {
      ...installation,
      accountId: accountIdOf(installation.accountId, accountIdIsNumber),
      status: row.status === 'pending' ? 'pending' : lostSince === null ? 'active' : 'needs_attention',
      attention: lostSince === null ? undefined : { since: lostSince, reason: lostReason ?? '' },
      lastSuccessAt: installation.lastSuccessAt ?? undefined,
      lastFailure:
        at === null
          ? undefined
          : { at, errorCode: lastFailureCode ?? undefined, status: lastFailureStatus ?? undefined },
      webhooks: webhooksOf(row),
    };
  });
}

function webhooksOf(row: Row): InstallationSummary['webhooks'] {
  const { webhookState: state, registeredAt, failedAt: at } = row;
  if (state === null || state === 'off' || state === 'removing') return undefined;
  return {
    state,
    registeredAt: registeredAt ?? undefined,
    lastFailure:
      at === null ? undefined : { at, code: row.failureCode ?? '', message: row.failureMessage ?? '' },
  };
}
