import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** A lock of a table under which processes go on, but block as soon as they write to it. */
export interface TableLock {
  /** Resolves when a process blocks. Rejects after two minutes. */
  untilBlocked(): Promise<void>;
  /** Ends the blocked connections, as a crash of their machine would, and unlocks. */
  release(): Promise<void>;
}

/** Locks a table. */
export async function lockTable(databaseUrl: string, table: string): Promise<TableLock> {
  const blockedBackends = `
    select pid from pg_locks where not granted and relation = '${table}'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in share row exclusive mode`);
  return {
    async untilBlocked() {
      const deadline = Date.now() + 120_000;
      while ((await client.query(blockedBackends)).rowCount === 0) {
        if (Date.now() > deadline) throw new Error(`no process has waited for ${table} within two minutes`);
        await delay(10);
      }
    },
    async release() {
      await client.query(`select pg_terminate_backend(pid) from (${blockedBackends}) as blocked`);
      await client.query('rollback');
      await client.end();
    },
  };
}
