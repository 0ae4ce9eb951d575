/** How the rows of a pool are found in a table, and what of them is not copied. */
export interface MovedTable {
  /** A condition; `$pool` stands for the pool. */
  readonly rows: string;
  /** Columns whose values are the other database's own, or have one there by default. */
  readonly regenerated?: readonly string[];
}

const destinations = 'select t.id from destination t where t.pool = $pool';
const deliveries = 'select d.id from delivery d where d.pool = $pool';

const byPool: MovedTable = { rows: 'pool = $pool' };
const byDestination: MovedTable = { rows: `destination in (${destinations})` };

/**
 * How each table is treated when a pool moves to another cell. A test compares the list with the database: a table that is
 * missing here would be left behind.
 *
 * - a {@link MovedTable}: the pool's rows move
 * - `cell`: stays, because it is the cell's own
 * - `regenerated`: comes to be in the other cell by itself, and is removed here
 */
export const poolTables: Readonly<Record<string, MovedTable | 'cell' | 'regenerated'>> = {
  pool: { rows: 'id = $pool' },
  access_token: byPool,
  installation: byPool,
  pool_key: byPool,
  webhook: byPool,
  webhook_secret: { rows: 'webhook_id in (select w.id from webhook w where w.pool = $pool)' },
  vendor_webhook: byPool,
  // Transactions are numbered by each cluster: the record's place in the feed of changes is that of the move.
  waiver: { rows: 'pool = $pool', regenerated: ['changed_in'] },
  waiver_id: { rows: 'id in (select w.id from waiver w where w.pool = $pool)' },
  waiver_version: byPool,
  unmatched_waiver: byPool,
  erasure: byPool,
  cached_booking: byPool,
  booking_alias: byPool,
  booking_refresh: byPool,
  booking_changes: byPool,
  inbound_message: byPool,
  destination: { rows: 'pool = $pool', regenerated: ['shard'] },
  destination_activity: byDestination,
  booking_system_session: byDestination,
  // Not what all installations of a booking system share.
  request_budget: { rows: `id in (${destinations})` },
  delivery: byPool,
  // Messages get new sequence numbers, in their present order.
  pending: { rows: `destination in (${destinations})`, regenerated: ['sequence'] },
  // Only needed for messages superseded while being sent; none are being sent now.
  ended: { rows: `id in (${deliveries})`, regenerated: ['sequence'] },
  attempt: { rows: `delivery in (${deliveries})` },
  recovery: { rows: `(pools = array[$pool]::text[] or destination in (${destinations}))` },

  // Rebuilt by triggers on `waiver`.
  waiver_search: 'regenerated',
  // Short-lived: started again in the other cell.
  installation_check: 'regenerated',
  authorization_request: 'regenerated',

  alert: 'cell',
  alert_occurrence: 'cell',
  alert_topic: 'cell',
  sent_alert: 'cell',
  audit_entry: 'cell',
  backup: 'cell',
  booking_system: 'cell',
  cell_name: 'cell',
  change_clock: 'cell',
  credential: 'cell',
  dispatcher: 'cell',
  encryption_check: 'cell',
  ended_sign_in: 'cell',
  inbound_base_url: 'cell',
  install_key: 'cell',
  journal: 'cell',
  migration: 'cell',
  moved_pool: 'cell',
  moved_pool_key: 'cell',
  person_session: 'cell',
  pool_move: 'cell',
  reconciliation: 'cell',
  shard: 'cell',
  sign_in_code: 'cell',
  waiver_search_progress: 'cell',
};
