import type { RequestLimits } from '@waiver-service/core';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import { sharedBudgetId } from './budget.ts';

export interface LimitedInstallation {
  readonly destination: string;
  readonly bookingSystem: string;
}

/** Sets or lifts the limits of an installation. Requests taken already stay counted. */
export async function setRequestLimits(
  transaction: DatabaseTransaction,
  { destination, bookingSystem }: LimitedInstallation,
  limits: RequestLimits | undefined,
): Promise<void> {
  if (limits === undefined) {
    await transaction
      .updateTable('destination')
      .set({ requestBudget: null })
      .where('id', '=', destination)
      .execute();
    await transaction.deleteFrom('requestBudget').where('id', '=', destination).execute();
    return;
  }
  const budget = limits.per === 'installation' ? destination : sharedBudgetId(bookingSystem);
  await transaction
    .updateTable('destination')
    .set({ requestBudget: budget })
    .where('id', '=', destination)
    .execute();
  await sql`
insert into request_budget (id, requests, window_ms)
values (${budget}, ${limits.windows.map(({ requests }) => requests)}, ${limits.windows.map(({ windowMs }) => windowMs)})
on conflict (id) do update set requests = excluded.requests, window_ms = excluded.window_ms`.execute(
    transaction,
  );
}
