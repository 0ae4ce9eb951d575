import {
  appliedMigrations,
  countKeyUses,
  createEncryption,
  type EncryptionKey,
  type KeyUse,
  type LostValue,
  openStoredValues,
  whyTooOld,
  whyUnsuitableSession,
} from '@waiver-service/database';
import { isHeld } from '@waiver-service/outbox';
import type { Database, FeatureData } from '@waiver-service/store/features';
import { allEncryptedColumns, schemaOf } from '@waiver-service/store/features';
import { sql } from 'kysely';

/** The server that the database is on. */
export interface ExaminedServer {
  readonly version: string;
  /** Why its settings prevent the service's work; undefined if they do not. */
  readonly unsuitable?: string | undefined;
  /** A standby, or otherwise read-only. */
  readonly isReadOnly: boolean;
  readonly databaseBytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  /** The database's clock minus this machine's, in milliseconds. */
  readonly clockAheadMs: number;
  /** The uncertainty of that, due to the round trip. */
  readonly clockDoubtMs: number;
  /** By name: `fsync`, `synchronous_commit` and others. */
  readonly settings: Readonly<Record<string, string>>;
  /** The age of the longest running transaction, which keeps old rows from being removed. */
  readonly oldestTransactionMs: number;
  /** Whether the role sees the transactions of others; if not, that is the longest of the role's own. */
  readonly seesTransactions: boolean;
  /** In transactions; at about two billion, PostgreSQL stops to protect its data. */
  readonly oldestFrozenAge: number;
  /** Replication slots without a reader; PostgreSQL keeps WAL for them. */
  readonly idleSlots: readonly string[];
}

/** The pending messages, and the hosts that send them. */
export interface ExaminedSending {
  /** Hosts that send. */
  readonly dispatchers: number;
  readonly pending: number;
  /** How long the oldest message that nothing holds back has been due; undefined if there is none. */
  readonly overdueMs: number | undefined;
  readonly pausedDestinations: number;
}

/** The findings about a database, without a judgment. */
export interface DatabaseExamination {
  readonly server: ExaminedServer;
  /** Migrations of this version that the database lacks. */
  readonly missingMigrations: readonly string[];
  /** Migrations of a newer version. */
  readonly unknownMigrations: readonly string[];
  /** Why this version cannot use the database with them; undefined if it can. */
  readonly tooOld: string | undefined;
  /** Read from the tables of this version; undefined if migrations are missing or this version cannot use it. */
  readonly content:
    | {
        readonly keyUses: readonly KeyUse[];
        readonly openedSecrets: number;
        readonly lostSecrets: readonly LostValue[];
        readonly lastBackup: { readonly takenAt: Date; readonly keyId: string } | undefined;
        readonly sending: ExaminedSending;
      }
    | undefined;
}

const settingNames = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'wal_level',
  'autovacuum',
];
const maxOpenedPerColumn = 10_000;

async function examineClock(database: Database) {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const after = Date.now();
  const there = rows[0]?.now.getTime() ?? after;
  return { clockAheadMs: there - (before + after) / 2, clockDoubtMs: (after - before) / 2 };
}

async function examineServer(database: Database): Promise<ExaminedServer> {
  const { rows } = await sql<Omit<ExaminedServer, 'settings' | 'clockAheadMs' | 'clockDoubtMs'>>`
select current_setting('server_version') as version,
  pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only,
  pg_database_size(current_database()) as database_bytes,
  (select count(*)::integer from pg_stat_activity where datid is not null) as connections,
  current_setting('max_connections')::integer as max_connections,
  coalesce((select extract(epoch from max(now() - xact_start)) * 1000 from pg_stat_activity
    where datid is not null and pid <> pg_backend_pid()), 0)::float8 as oldest_transaction_ms,
  pg_has_role('pg_read_all_stats', 'usage') as sees_transactions,
  (select age(datfrozenxid) from pg_database where datname = current_database()) as oldest_frozen_age,
  array(select slot_name::text from pg_replication_slots where not active) as idle_slots`.execute(database);
  const [server] = rows;
  if (server === undefined) throw new Error('the database does not describe itself');
  const { rows: settings } = await sql<{ name: string; setting: string }>`
select name, setting from pg_settings where name in (${sql.join(settingNames)})`.execute(database);
  return {
    ...server,
    unsuitable: await whyUnsuitableSession(database),
    ...(await examineClock(database)),
    settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])),
  };
}

async function examineSending(database: Database): Promise<ExaminedSending> {
  const { rows } = await sql<Omit<ExaminedSending, 'overdueMs'> & { readonly overdueMs: number | null }>`
select (select count(*)::integer from dispatcher where lease_until > now()) as dispatchers,
  (select count(*)::integer from pending) as pending,
  (select extract(epoch from now() - min(p.due_at)) * 1000 from pending p
    join destination t on t.id = p.destination and t.status = 'active' and not ${isHeld}
    where p.due_at < now())::float8 as overdue_ms,
  (select count(*)::integer from destination where status = 'paused') as paused_destinations`.execute(
    database,
  );
  const [sending] = rows;
  if (sending === undefined) throw new Error('the database returned no figures of the outbox');
  return { ...sending, overdueMs: sending.overdueMs ?? undefined };
}

/** Examines the health of a database. Writes nothing and migrates nothing. */
export async function examineDatabase(options: {
  /** All of the service. */
  readonly features: readonly FeatureData[];
  readonly databaseUrl: string;
  readonly encryptionKeys: readonly EncryptionKey[];
}): Promise<DatabaseExamination> {
  const encryption = createEncryption(options.encryptionKeys);
  const schema = schemaOf(options.features);
  const columns = allEncryptedColumns(options.features);
  const database = schema.connect({
    databaseUrl: options.databaseUrl,
    maxConnections: 1,
    statementTimeoutMs: 30_000,
    onConnectionError: () => {},
  });
  try {
    const server = await examineServer(database);
    const applied = await appliedMigrations(database);
    const names = new Set(applied.map(({ name }) => name));
    const found = {
      missingMigrations: [...schema.known].filter((name) => !names.has(name)),
      unknownMigrations: [...names].filter((name) => !schema.known.has(name)),
      tooOld: whyTooOld(applied, schema.known),
    };
    if (found.missingMigrations.length > 0 || found.tooOld !== undefined)
      return { server, ...found, content: undefined };
    const { opened, lost } = await openStoredValues(database, encryption, {
      columns,
      limit: maxOpenedPerColumn,
    });
    const backups = await sql<{ takenAt: Date; keyId: string }>`
select taken_at, key_id from backup order by id desc limit 1`.execute(database);
    const content = {
      keyUses: await countKeyUses(database, columns),
      openedSecrets: opened,
      lostSecrets: lost,
      lastBackup: backups.rows[0],
      sending: await examineSending(database),
    };
    return { server, ...found, content };
  } finally {
    await database.destroy();
  }
}
