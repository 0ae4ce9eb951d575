import { request } from 'undici';
import { percentile } from '../harness/statistics.ts';
import type { Receivers } from '../receivers/start-receivers.ts';
import type { openDatabaseFigures } from './database-figures.ts';
import type { Ledger } from './ledger.ts';
import type { Load } from './load.ts';
import { brokenPool } from './soak-world.ts';

/** Figures by name, such as `accept p99 ms`, at one moment or over the time since the previous sample. */
export interface Sample {
  /** Milliseconds since the run began. */
  readonly atMs: number;
  readonly figures: Readonly<Record<string, number>>;
}

export interface SamplerParts {
  readonly database: Awaited<ReturnType<typeof openDatabaseFigures>>;
  readonly receivers: Receivers;
  readonly ledger: Ledger;
  readonly load: Pick<Load, 'takeTimes'>;
  /** The hosts by name; `undefined` for one that is being replaced. */
  readonly hosts: () => Readonly<Record<string, string | undefined>>;
}

const mebibyte = 2 ** 20;

const processFigures = {
  'RSS MiB': 'process_resident_memory_bytes',
  'heap MiB': 'nodejs_heap_size_used_bytes',
} as const;

async function hostFigures(name: string, url: string): Promise<Record<string, number>> {
  const { body } = await request(`${url}/metrics`);
  const text = await body.text();
  return Object.fromEntries(
    Object.entries(processFigures).flatMap(([figure, metric]) => {
      const value = new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1];
      return value === undefined ? [] : [[`${name} ${figure}`, Number(value) / mebibyte]];
    }),
  );
}

function timeFigures(name: string, times: readonly number[]): Record<string, number> {
  if (times.length === 0) return {};
  return { [`${name} p50 ms`]: percentile(times, 50), [`${name} p99 ms`]: percentile(times, 99) };
}

/** Takes samples; in between, matches arrivals with the ledger, one call at a time: receivers allow no more. */
export function createSampler({ database, receivers, ledger, load, hosts }: SamplerParts) {
  let startedAt = performance.now();
  let before = { at: startedAt, walPosition: 0 };
  let delivered: number[] = [];
  let arrived = 0;

  async function takeArrivals(): Promise<void> {
    for (const arrival of await receivers.arrivals()) {
      arrived += 1;
      const took = ledger.arrive(arrival);
      if (took !== undefined && !(arrival.isWebhook && arrival.pool === brokenPool)) delivered.push(took);
    }
  }

  async function sample(): Promise<Sample> {
    await takeArrivals();
    ledger.forgetSettled();
    const { tables, walPosition, walFileBytes, databaseBytes, connections, waiting } = await database.read();
    const now = performance.now();
    const seconds = (now - before.at) / 1000;
    const { accept, read } = load.takeTimes();
    const ofHosts = await Promise.all(
      Object.entries(hosts()).map(([name, url]) => (url === undefined ? {} : hostFigures(name, url))),
    );
    const figures = {
      'changes /s': accept.length / seconds,
      'messages /s': arrived / seconds,
      'reads /s': read.length / seconds,
      ...timeFigures('accept', accept),
      ...timeFigures('delivered', delivered),
      ...timeFigures('read', read),
      ...Object.assign({}, ...ofHosts),
      connections,
      waiting,
      'database MiB': databaseBytes / mebibyte,
      'WAL files MiB': walFileBytes / mebibyte,
      ...(before.walPosition > 0
        ? { 'WAL MiB/s': (walPosition - before.walPosition) / mebibyte / seconds }
        : {}),
      'dead rows': tables.reduce((sum, { deadRows }) => sum + deadRows, 0),
      ...Object.fromEntries(
        tables.flatMap(({ name, tableBytes, indexBytes, deadRows }) => [
          [`${name} MiB`, tableBytes / mebibyte],
          [`${name} indexes MiB`, indexBytes / mebibyte],
          [`${name} dead rows`, deadRows],
        ]),
      ),
    };
    before = { at: now, walPosition };
    delivered = [];
    arrived = 0;
    return { atMs: now - startedAt, figures };
  }
  /** Restarts all counts. */
  function begin(): void {
    load.takeTimes();
    startedAt = performance.now();
    before = { at: startedAt, walPosition: 0 };
    delivered = [];
    arrived = 0;
  }

  return { begin, sample, takeArrivals };
}
