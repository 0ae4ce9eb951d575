import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** A database that takes changes but no record of a try. */
export interface HeldRecords {
  /** Resolves when a process is about to record a try: what it sent has been answered. */
  waiting(): Promise<void>;
  /** Ends the connections that wait to record, as the end of their machine would, and lets others record. */
  release(): Promise<void>;
}

const waitingOnes = `
  select pid from pg_locks where not granted and relation = 'attempt'::regclass
    and database = (select oid from pg_database where datname = current_database())`;

/** Keeps every process from recording what its tries came to, until it is released. */
export async function holdRecords(url: string): Promise<HeldRecords> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table attempt in share row exclusive mode');
  return {
    async waiting() {
      const deadline = Date.now() + 10_000;
      while ((await client.query(waitingOnes)).rowCount === 0) {
        if (Date.now() > deadline) throw new Error('nobody came to record a try in 10 s');
        await delay(10);
      }
    },
    async release() {
      await client.query(`select pg_terminate_backend(pid) from (${waitingOnes}) as waiting`);
      await client.query('rollback');
      await client.end();
    },
  };
}
