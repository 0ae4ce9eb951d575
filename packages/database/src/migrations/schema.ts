import { sql } from 'kysely';
import { type ConnectOptions, connect, connectionSettings } from '../connections/connect.ts';
import type { ConnectionRenewal } from '../connections/connection-renewal.ts';
import type { Database, Queryable } from '../connections/database.ts';
import { whyUnsuitableSession } from '../connections/session-settings.ts';
import { createReadinessCheck, type Readiness } from './readiness.ts';
import { appliedMigrations, type MigrationWait, runMigrations } from './run-migrations.ts';
import { type SchemaMigration, whyTooOld } from './schema-migration.ts';

const minPostgresVersion = 14;
// When everything on a machine starts at once, as after a power failure, the database is slow to respond.
const connectTimeoutMs = 30_000;

/** This version of the service cannot use the database; the message says what to do. */
export class UnsuitableDatabase extends Error {
  override readonly name = 'UnsuitableDatabase';
}

export interface SchemaOptions<Tables> {
  /** All, by the names they are recorded under; they run in the order of their names, forward only. */
  readonly migrations: Readonly<Record<string, SchemaMigration>>;
  /** Runs at each start after the migrations and before anything else; its connection has no statement timeout. */
  afterMigrating(database: Database<Tables>): Promise<void>;
}

/** The schema that this version of the service knows; `Tables` are the types of what its migrations make. */
export class Schema<Tables> {
  readonly migrations: Readonly<Record<string, SchemaMigration>>;
  /** The names of the migrations. */
  readonly known: ReadonlySet<string>;
  readonly #newestMigration: string;
  readonly #afterMigrating: (database: Database<Tables>) => Promise<void>;

  constructor({ migrations, afterMigrating }: SchemaOptions<Tables>) {
    this.migrations = migrations;
    this.known = new Set(Object.keys(migrations));
    this.#newestMigration = Object.keys(migrations).toSorted().at(-1) ?? '';
    this.#afterMigrating = afterMigrating;
  }

  /** Opens a connection pool, which connects at the first query. */
  connect(options: Omit<ConnectOptions, 'newestMigration'>): Database<Tables> {
    return connect({ ...options, newestMigration: this.#newestMigration });
  }

  /** The settings of a connection outside of a pool. */
  connectionSettings(databaseUrl: string): ReturnType<typeof connectionSettings> {
    return connectionSettings({ databaseUrl, newestMigration: this.#newestMigration });
  }

  /**
   * Runs the missing migrations; several hosts may start at once. Ignores those of a newer version.
   *
   * @param onWait - called when a migration has to wait and is tried again
   * @throws UnsuitableDatabase if PostgreSQL is too old, behind a pooler that shares its sessions or has unsuitable
   *   settings, or this version is too old for the database
   */
  async migrate(databaseUrl: string, onWait: (wait: MigrationWait) => void = () => {}): Promise<void> {
    await this.#with(databaseUrl, async (database) => {
      await requireSessions(database);
      await requireSupportedServer(database);
      await requireSuitableSession(database);
      const problem = whyTooOld(await appliedMigrations(database), this.known);
      if (problem !== undefined) throw new UnsuitableDatabase(problem);
      await runMigrations(database, { migrations: this.migrations, onWait });
      await this.#afterMigrating(database);
    });
  }

  /**
   * For code that uses the database without migrating it.
   *
   * @throws UnsuitableDatabase unless it has exactly the migrations of this version, and suitable settings
   */
  async requireNewest(database: Queryable): Promise<void> {
    await requireSuitableSession(database);
    const applied = await this.#requireKnown(database);
    const missing = [...this.known].filter((name) => !applied.includes(name));
    if (missing.length === 0) return;
    throw new UnsuitableDatabase(
      applied.length === 0
        ? 'the database has no tables of the waiver service: is it the right one?'
        : `the database is that of an older version of the waiver service (it lacks ${missing.join(', ')}): start a host of this version first, which migrates it`,
    );
  }

  /** A check of whether the database can be used: see {@link createReadinessCheck}. */
  readinessCheck(database: Database<Tables>, renewal: ConnectionRenewal): () => Promise<Readiness> {
    return createReadinessCheck(database, renewal, this.known);
  }

  // Not the pool of other connections: a migration may take longer than their statement timeout.
  async #with(databaseUrl: string, work: (database: Database<Tables>) => Promise<void>): Promise<void> {
    const database = this.connect({
      databaseUrl,
      maxConnections: 2,
      statementTimeoutMs: 0,
      connectTimeoutMs,
      onConnectionError: () => {},
    });
    try {
      await work(database);
    } finally {
      await database.destroy();
    }
  }

  /** @returns the names of the migrations that a database has had; none if it is not the waiver service's */
  async #requireKnown(database: Queryable): Promise<readonly string[]> {
    const applied = (await appliedMigrations(database)).map(({ name }) => name);
    const unknown = applied.filter((name) => !this.known.has(name));
    if (unknown.length === 0) return applied;
    throw new UnsuitableDatabase(
      `the database was migrated by a newer version of the waiver service (it has ${unknown.join(', ')}): use that version`,
    );
  }
}

/** @throws UnsuitableDatabase */
export async function requireSupportedServer(database: Queryable): Promise<void> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(database);
  const problem = whyTooOldServer(rows[0]?.version ?? 'unknown');
  if (problem !== undefined) throw new UnsuitableDatabase(problem);
}

async function requireSuitableSession(database: Queryable): Promise<void> {
  const problem = await whyUnsuitableSession(database);
  if (problem !== undefined) throw new UnsuitableDatabase(problem);
}

/** @param version - as the server states it, such as `17.2 (Debian 17.2-1)` */
export function whyTooOldServer(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= minPostgresVersion) return undefined;
  return `PostgreSQL ${minPostgresVersion} or newer is needed, this server is ${version}: upgrade it, or use another one`;
}

const readBackend = async (connection: Queryable) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)).rows[0]?.pid;

/**
 * Detects a pooler in transaction mode: two connections share a session of the server, or one changes sessions between
 * queries. Advisory locks, settings, prepared statements and LISTEN belong to a session.
 */
async function requireSessions<Tables>(database: Database<Tables>): Promise<void> {
  await database.connection().execute((one) =>
    database.connection().execute(async (other) => {
      const first = await readBackend(one);
      // Twice in a row: a pooler that rotates its sessions gives another one at once.
      if (first === (await readBackend(one)) && first !== (await readBackend(other))) return;
      throw new UnsuitableDatabase(
        'a connection pooler hands out transactions there (pool_mode = transaction), and the service needs sessions: use the address of PostgreSQL itself, or a pool with pool_mode = session',
      );
    }),
  );
}
