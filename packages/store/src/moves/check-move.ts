import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { SingleConnection } from '../backups/single-connection.ts';
import { readCellName } from '../cells/cell-name.ts';
import type { Database } from '../database/database.ts';
import { requireMatchingKeys, WrongEncryptionKeys } from '../encryption/check-encryption-keys.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { createEncryption, type EncryptionKey } from '../encryption/encryption.ts';
import { openStoredValues, passColumn } from '../encryption/rotate-keys.ts';
import { requireNewestMigration, UnsuitableDatabase } from '../migrations/migrate.ts';
import { rowsOfPool } from './copy-pool.ts';
import { MoveProblem } from './move-problem.ts';
import { poolTables } from './moved-tables.ts';
import { requireNoOlderHosts } from './older-hosts.ts';

/** The encrypted columns with values of the pool, and the condition for its rows. */
const columnsOf = ({ client }: SingleConnection, pool: string) =>
  encryptedColumns.flatMap((column) => {
    const table = poolTables[column.table];
    if (typeof table !== 'object') return [];
    return { column, of: sql.raw<boolean>(rowsOfPool(client, table, pool)) };
  });

/** @throws MoveProblem if both are the same database: a lock that one of them has is not free in the other then */
export async function requireTwoDatabases(source: Database, target: Database): Promise<void> {
  const { rows } = await sql<{ key: string }>`
select k.key from (select (random() * 9e15)::bigint::text as key offset 0) k cross join lateral (
  select pg_advisory_lock(k.key::bigint)) l`.execute(source);
  const key = rows[0]?.key ?? '0';
  const { rows: tries } = await sql<{ free: boolean }>`
select pg_try_advisory_lock(${key}::bigint) as free`.execute(target);
  await sql`select pg_advisory_unlock(${key}::bigint)`.execute(source);
  if (tries[0]?.free === true) return;
  throw new MoveProblem(
    'TARGET_DATABASE_URL is the database of this cell: set it to that of the cell that the pool is to move to',
  );
}

/** @throws MoveProblem if the database is not that of the cell: the pool would be in two, or where no call is sent on to */
export async function requireCell(target: Database, cell: string): Promise<void> {
  const found = await readCellName(target);
  if (found === cell) return;
  throw new MoveProblem(
    found === undefined
      ? `no host with CELL=${cell} has been started on the other cell's database (TARGET_DATABASE_URL): start one first`
      : `TARGET_DATABASE_URL is the database of the cell "${found}", not of "${cell}"`,
  );
}

/** @throws MoveProblem, if the other cell's database cannot be used */
export async function requireUsableTarget(
  target: Database,
  encryptionKeys: readonly EncryptionKey[],
): Promise<void> {
  try {
    await requireNewestMigration(target);
    await requireMatchingKeys(target, createEncryption(encryptionKeys));
  } catch (error) {
    if (!(error instanceof UnsuitableDatabase || error instanceof WrongEncryptionKeys)) throw error;
    throw new MoveProblem(`the other cell's database (TARGET_DATABASE_URL): ${error.message}`, {
      cause: error,
    });
  }
}

/** @throws MoveProblem, if a secret of the pool cannot be read */
async function requireReadableSecrets(
  source: SingleConnection,
  pool: string,
  encryptionKeys: readonly EncryptionKey[],
): Promise<void> {
  const { lost } = await openStoredValues(
    source.database,
    createEncryption(encryptionKeys),
    Number.MAX_SAFE_INTEGER,
    columnsOf(source, pool),
  );
  const [first] = lost;
  if (first === undefined) return;
  throw new MoveProblem(
    `${lost.length} secrets of the pool cannot be read, among them ${first.where} (${first.reason}): add the key to ENCRYPTION_KEYS, or remove what they belong to`,
  );
}

/**
 * Encrypts the secrets of the pool that has arrived with the key that the other cell's hosts are known to have: the one that
 * they encrypted their check value with.
 */
export async function encryptForTarget(
  target: SingleConnection,
  pool: string,
  encryptionKeys: readonly EncryptionKey[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
select split_part(encrypted, ':', 2) as id from encryption_check`.execute(target.database);
  const theirs = rows[0]?.id;
  const keys = encryptionKeys.toSorted(
    (one, other) => Number(other.id === theirs) - Number(one.id === theirs),
  );
  const encryption = createEncryption(keys);
  for (const { column, of } of columnsOf(target, pool)) {
    await passColumn(target.database, encryption, column, { of });
  }
}

async function requireBookingSystems(source: Database, target: Database, pool: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
select i.booking_system as name from installation i join booking_system s on s.install_name = i.booking_system
where i.pool = ${pool} and i.status <> 'uninstalled' order by 1`.execute(source);
  const { rows: known } = await sql<{ name: string }>`
select install_name as name from booking_system`.execute(target);
  const missing = rows.filter(({ name }) => !known.some((other) => other.name === name));
  if (missing.length === 0) return;
  throw new MoveProblem(
    `the other cell has no settings of ${missing.map(({ name }) => name).join(', ')}, which the pool has installed: set them there first (PUT /v1/admin/booking-systems/…)`,
  );
}

async function requireNoPool(target: Database, pool: string): Promise<void> {
  const { rows } = await sql`select from pool where id = ${pool}`.execute(target);
  if (rows.length > 0) throw new MoveProblem(`the other cell has a pool "${pool}" already`);
}

/** The command that brought the pool here from the other cell may have been killed at its very end. */
async function requireFinishedMove(target: Database, pool: string, cell: string): Promise<void> {
  const { rows } = await sql<{ to: string }>`
select cell as "to" from pool_move where pool = ${pool} and state <> 'arrived'`.execute(target);
  const [unfinished] = rows;
  if (unfinished === undefined) return;
  throw new MoveProblem(
    `the cell "${cell}" has not finished its own move of the pool to "${unfinished.to}": run waiver-service pool move ${pool} --to ${unfinished.to} there again until it says that nothing of the pool is left, and this command after that`,
  );
}

async function requireFreeIds(
  source: SingleConnection,
  target: SingleConnection,
  pool: string,
): Promise<void> {
  await target.client.query('create temporary table arriving_id (id text collate "C")');
  await pipeline(
    source.client.query(
      copyTo(`copy (select id from waiver where pool = ${source.client.escapeLiteral(pool)}) to stdout`),
    ),
    target.client.query(copyFrom('copy arriving_id from stdin')),
  );
  const { rows } = await target.client.query<{ id: string; count: number }>(`
select min(w.id) as id, count(*)::integer as count from arriving_id a join waiver_id w on w.id = a.id`);
  await target.client.query('drop table arriving_id');
  const [taken] = rows;
  if (taken === undefined || taken.count === 0) return;
  throw new MoveProblem(
    `${taken.count} ids of the pool's waivers are those of other waivers in the other cell, such as ${taken.id}: an id is one waiver's in all pools of a cell`,
  );
}

/** @throws MoveProblem while a recovery runs that may reopen deliveries of the pool: the other cell would not go on with it */
export async function requireNoRecovery(source: Database, pool: string): Promise<void> {
  const { rows } = await sql`
select from recovery r where r.state = 'running' and (r.pools is null or ${pool} = any (r.pools)) limit 1`.execute(
    source,
  );
  if (rows.length === 0) return;
  throw new MoveProblem(
    'deliveries of the pool are being sent again (POST /v1/admin/deliveries/recover): run the command again when that is done',
  );
}

/** A pool, and the cell that it is to move to. */
interface PlannedMove {
  readonly pool: string;
  /** The name of the other cell. */
  readonly cell: string;
  /** Those of both cells. */
  readonly encryptionKeys: readonly EncryptionKey[];
}

/** @throws MoveProblem, unless the pool can move. Changes nothing. */
export async function checkMove(
  source: SingleConnection,
  target: SingleConnection,
  { pool, cell, encryptionKeys }: PlannedMove,
): Promise<void> {
  const { rows } = await sql`select from pool where id = ${pool}`.execute(source.database);
  if (rows.length === 0) throw new MoveProblem(`there is no pool "${pool}" in this cell`);
  await requireNoOlderHosts(source.database);
  await requireReadableSecrets(source, pool, encryptionKeys);
  await requireNoPool(target.database, pool);
  await requireFinishedMove(target.database, pool, cell);
  await requireBookingSystems(source.database, target.database, pool);
  await requireNoRecovery(source.database, pool);
  await requireFreeIds(source, target, pool);
}
