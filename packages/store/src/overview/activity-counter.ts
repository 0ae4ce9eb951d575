import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { rowsOf } from '../database/rows-of.ts';
import type { FinishedDelivery } from '../outbox/delivery-types.ts';

/** The length of a bucket. */
const partMs = 15 * 60_000;
// Rarely: the counts only feed charts, so a killed host may lose this much of them.
const writeEveryMs = 10_000;
const pruneEveryMs = 3_600_000;
const maxPruned = 2_000;
const keptDays = 8;

interface Count {
  readonly destination: string;
  readonly at: number;
  delivered: number;
  failed: number;
}

/** Counts attempts by destination and time. */
export interface ActivityCounter {
  count(finished: readonly FinishedDelivery[]): void;
  /** The job that writes the counts to the database, and removes old ones. */
  readonly job: BackgroundJob;
  /** Writes the counts now. */
  flush(): Promise<void>;
}

async function write(database: Database, counts: readonly Count[]): Promise<void> {
  const rows = counts.map(({ at, ...count }) => ({ ...count, at: new Date(at).toISOString() }));
  await sql`${prepared}
insert into destination_activity as a (destination, at, delivered, failed)
select c.destination, c.at, c.delivered, c.failed from ${rowsOf(rows, 'c', {
    destination: 'text',
    at: 'timestamptz',
    delivered: 'integer',
    failed: 'integer',
  })}
order by c.destination collate "C", c.at
on conflict (destination, at) do update
set delivered = a.delivered + excluded.delivered, failed = a.failed + excluded.failed`.execute(database);
}

/** @returns whether there may be more to remove */
async function prune(database: Database): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
delete from destination_activity a using (
  select destination, at from destination_activity where at < now() - ${keptDays}::integer * interval '1 day'
  order by at limit ${maxPruned}::integer for update skip locked) o
where a.destination = o.destination and a.at = o.at`.execute(database);
  return numAffectedRows === BigInt(maxPruned);
}

/** Creates the {@link ActivityCounter} of this process. */
export function createActivityCounter(database: Database): ActivityCounter {
  // By start of the bucket and destination.
  let counts = new Map<number, Map<string, Count>>();
  let writtenAt = performance.now();
  let prunedAt = Number.NEGATIVE_INFINITY;

  function add({ destination, at, delivered, failed }: Count): void {
    const inPart = counts.get(at) ?? new Map<string, Count>();
    counts.set(at, inPart);
    const known = inPart.get(destination);
    if (known === undefined) inPart.set(destination, { destination, at, delivered, failed });
    else {
      known.delivered += delivered;
      known.failed += failed;
    }
  }

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const written = [...counts.values()].flatMap((inPart) => [...inPart.values()]);
    counts = new Map();
    try {
      await write(database, written);
    } catch (error) {
      for (const count of written) add(count);
      throw error;
    }
  }

  return {
    count(finished) {
      for (const { destination, attempt } of finished) {
        const { outcome } = attempt;
        const isDelivered = outcome === 'accepted' || outcome === 'nothing-written';
        const isFailed = outcome === 'refused' || outcome === 'in-doubt';
        if (!isDelivered && !isFailed) continue;
        const at = Math.floor(attempt.at.getTime() / partMs) * partMs;
        add({ destination, at, delivered: Number(isDelivered), failed: Number(isFailed) });
      }
    },
    flush,
    job: {
      name: 'counting what destinations took',
      async runBatch() {
        const now = performance.now();
        if (now - writtenAt >= writeEveryMs) {
          writtenAt = now;
          await flush();
        }
        if (now - prunedAt < pruneEveryMs) return false;
        if (await prune(database)) return true;
        prunedAt = now;
        return false;
      },
    },
  };
}
