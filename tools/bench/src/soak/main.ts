// An hour at half of what one host can handle: does anything grow, slow down or get lost?
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createGround, type OwnedGround } from '../harness/ground.ts';
import { describeMachine, machineLines } from '../harness/machine.ts';
import { UsageError } from '../harness/options.ts';
import { programBeside } from '../program-beside.ts';
import { type HostProcess, startHostProcess } from '../subjects/host-process.ts';
import { openDatabaseFigures } from './database-figures.ts';
import { every } from './every.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { changesPerVisit, createLoad, type Load } from './load.ts';
import { createSampler, type Sample } from './sampler.ts';
import { openSoakClient, type SoakClient } from './soak-client.ts';
import { readSoakOptions, type SoakOptions } from './soak-options.ts';
import { sampleLine, soakTables } from './soak-report.ts';
import { type SoakTimes, timesOf } from './soak-times.ts';
import { createSoakWorld, type SoakWorld } from './soak-world.ts';

const calibrationMs = 30_000;
const callersOfCalibration = 64;
const visitPauseMs = 2_000;
const readsPerChange = 1 / 3;
const lookEveryMs = 2_000;
const keysEveryMs = 10_000;
const arrivalsEveryMs = 2_000;
const drainMs = 180_000;

/** The parts of a run. */
interface Scene {
  readonly ground: OwnedGround;
  readonly world: SoakWorld;
  readonly client: SoakClient;
  readonly ledger: Ledger;
  readonly load: Load;
  readonly sampler: ReturnType<typeof createSampler>;
  /** By name, without one that is being replaced. */
  readonly hosts: Map<string, HostProcess>;
  readonly times: SoakTimes;
  /** The logs of hosts that have ended. */
  readonly logs: string[];
}

function startHost({ world, times }: Pick<Scene, 'world' | 'times'>): Promise<HostProcess> {
  const settings = {
    DATABASE_URL: world.databaseUrl,
    LOG_LEVEL: 'warn',
    // Nothing becomes a dead letter while the destination is down.
    RETRY_SCHEDULE: ['0s', '2s', '5s', ...Array.from({ length: 90 }, () => '10s')].join(','),
    SOAK_RETENTION_MS: String(times.retentionMs),
    SOAK_PRUNE_INTERVAL_MS: String(times.pruneIntervalMs),
  };
  return startHostProcess(settings, programBeside(import.meta.filename, 'soak-host'));
}

async function createScene(ground: OwnedGround, times: SoakTimes): Promise<Scene> {
  const world = await createSoakWorld(ground);
  const receivers = await ground.receivers();
  await receivers.expect(Number.MAX_SAFE_INTEGER, { record: true });
  const client = openSoakClient();
  ground.defer(() => client.close());
  const ledger = createLedger();
  const hosts = new Map<string, HostProcess>();
  const hostUrls = () => [...hosts.values()].map(({ url }) => url);
  const { waiverRetentionMs } = times;
  const load = createLoad({ client, ledger, pools: world.pools, hostUrls, waiverRetentionMs });
  const database = await openDatabaseFigures(world.databaseUrl);
  ground.defer(() => database.close());
  const sampler = createSampler({
    database,
    receivers,
    ledger,
    load,
    hosts: () => Object.fromEntries([...hosts].map(([name, { url }]) => [name, url])),
  });
  const scene = { ground, world, client, ledger, load, sampler, hosts, times, logs: [] };
  hosts.set('a', await startHost(scene));
  ground.defer(() => Promise.all([...hosts.values()].map((host) => host.stop())));
  return scene;
}

/** Waits until everything has arrived. */
async function untilArrived({ sampler, ledger, ground: { signal } }: Scene): Promise<void> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(drainMs)]);
  do {
    await wait(100, undefined, { signal: late }).catch(() => {});
    await sampler.takeArrivals();
  } while (ledger.missing().length > 0 && !late.aborted);
}

/** Measures what one host can handle: changes from busy callers, until the last has arrived. */
async function measureFullRate(scene: Scene): Promise<number> {
  const { load, ground } = scene;
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > calibrationMs || ground.signal.aborted;
  let visits = 0;
  async function call() {
    while (!isOver()) {
      await load.visit(0);
      await load.read();
      visits += 1;
    }
  }
  await Promise.all(Array.from({ length: callersOfCalibration }, call));
  await untilArrived(scene);
  return (visits * changesPerVisit * 1000) / (performance.now() - startedAt);
}

/** Replaces the second host, which meanwhile gets no requests. */
async function replaceHost(scene: Scene): Promise<void> {
  const host = scene.hosts.get('b');
  if (host === undefined) return;
  scene.hosts.delete('b');
  await wait(1_000);
  scene.logs.push(host.readLog());
  await host.stop();
  scene.hosts.set('b', await startHost(scene));
}

/** Runs `task` at a time of the run; its failure ends the run. */
async function at(ms: number, signal: AbortSignal, task: () => Promise<void>): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
  if (!signal.aborted) await task();
}

/** The events besides the load. */
async function happenings(scene: Scene, signal: AbortSignal): Promise<void> {
  const { times, ground, world } = scene;
  const receivers = await ground.receivers();
  const log = (text: string) => console.error(text);
  await Promise.all([
    at(times.breakAtMs, signal, async () => {
      log('one webhook breaks');
      await receivers.setBroken(world.breakable, true);
    }),
    at(times.mendAtMs, signal, async () => {
      log('the webhook is back');
      await receivers.setBroken(world.breakable, false);
    }),
    at(times.restartAtMs, signal, async () => {
      log('one host is replaced');
      await replaceHost(scene);
      log('the host is replaced');
    }),
  ]);
}

/** Runs the load for the whole time, and takes samples. */
async function runLoad(scene: Scene, rate: number, samples: Sample[]): Promise<void> {
  const { load, sampler, times, ground } = scene;
  const ending = AbortSignal.any([ground.signal, AbortSignal.timeout(times.totalMs)]);
  const paced = [
    every((1000 * changesPerVisit) / rate, () => load.visit(visitPauseMs)),
    every(1000 / (rate * readsPerChange), () => load.read()),
    every(lookEveryMs, () => load.look()),
    every(keysEveryMs, () => load.changeKeys()),
  ];
  sampler.begin();
  const happened = happenings(scene, ending);
  happened.catch(() => {});
  let nextSampleAt = performance.now() + times.sampleMs;
  while (!ending.aborted) {
    await wait(Math.min(arrivalsEveryMs, times.sampleMs), undefined, { signal: ending }).catch(() => {});
    if (performance.now() < nextSampleAt) await sampler.takeArrivals();
    else {
      const sample = await sampler.sample();
      samples.push(sample);
      console.error(sampleLine(sample));
      nextSampleAt += times.sampleMs;
    }
  }
  await Promise.all(paced.map((one) => one.stop()));
  await happened;
}

/** The distinct warnings and errors in logs, each with its count. */
function loggedOf(logs: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of logs.flatMap((log) => log.split('\n'))) {
    if (!line.startsWith('{') || !line.endsWith('}')) continue;
    const { level, msg } = JSON.parse(line);
    const key = `level ${level}: ${msg}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${count} × ${key}`);
}

/** @returns whether nothing was lost, out of order or failed */
function reportEnd({ ledger, client, hosts, logs, ground }: Scene): boolean {
  const missing = ledger.missing();
  const logged = loggedOf([...logs, ...[...hosts.values()].map((host) => host.readLog())]);
  console.log(
    [
      '',
      `${ground.signal.aborted ? 'had not arrived yet' : 'lost'}: ${missing.length} ${missing.slice(0, 10).join(' ')}`.trimEnd(),
      `out of order: ${ledger.outOfOrder.length} ${ledger.outOfOrder.slice(0, 10).join(' ')}`.trimEnd(),
      `came more than once: ${ledger.repeated}`,
      `failed requests: ${client.failed}`,
      ...client.failures.map((failure) => `  ${failure}`),
      'logged by the hosts:',
      ...logged.map((line) => `  ${line}`),
    ].join('\n'),
  );
  return missing.length === 0 && ledger.outOfOrder.length === 0 && client.failed === 0;
}

async function soak({ minutes, rate: givenRate, json }: SoakOptions): Promise<void> {
  const machine = describeMachine();
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort());
  const ground = createGround({ signal: interrupted.signal, scale: 1 });
  const times = timesOf(minutes);
  try {
    const scene = await createScene(ground, times);
    const full = givenRate === undefined ? await measureFullRate(scene) : undefined;
    const rate = givenRate ?? Math.round((full ?? 0) / 2);
    console.log(machineLines(machine, await ground.describePostgres()).join('\n'));
    console.log(
      `${minutes} minutes at ${rate} changes a second${full === undefined ? '' : `, half of the ${Math.round(full)} that one host carried`}, each to a webhook and a booking system; two hosts`,
    );
    scene.hosts.set('b', await startHost(scene));
    const samples: Sample[] = [];
    await runLoad(scene, rate, samples);
    if (!interrupted.signal.aborted) await untilArrived(scene);
    console.log(soakTables(samples, times.lineMs));
    if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, rate, samples })}\n`);
    const isWell = reportEnd(scene);
    if (interrupted.signal.aborted) process.exitCode = 130;
    else process.exitCode = isWell ? 0 : 1;
  } finally {
    await ground.close();
  }
  process.exit();
}

try {
  await soak(readSoakOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
