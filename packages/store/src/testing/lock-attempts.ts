import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** A lock under which processes go on sending, but block as soon as they record an attempt. */
export interface AttemptsLock {
  /** Resolves when a process blocks: its request has been answered, but not recorded. Rejects after 10 s. */
  untilBlocked(): Promise<void>;
  /** Ends the blocked connections, as a crash of their machine would, and unlocks. */
  release(): Promise<void>;
}

const blockedBackends = `
  select pid from pg_locks where not granted and relation = 'attempt'::regclass
    and database = (select oid from pg_database where datname = current_database())`;

/** Locks the table of attempts. */
export async function lockAttempts(databaseUrl: string): Promise<AttemptsLock> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('lock table attempt in share row exclusive mode');
  return {
    async untilBlocked() {
      const deadline = Date.now() + 10_000;
      while ((await client.query(blockedBackends)).rowCount === 0) {
        if (Date.now() > deadline) throw new Error('no process recorded an attempt within 10 s');
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
