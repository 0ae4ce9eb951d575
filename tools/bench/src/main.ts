import { cpus, loadavg, totalmem } from 'node:os';
import { createGround, type OwnedGround } from './harness/ground.ts';
import { type BenchOptions, readOptions, UsageError } from './harness/options.ts';
import { allWell, type Row, type RowResult, runBench, tableOf } from './harness/row.ts';
import { rows } from './rows/rows.ts';

/** This machine, in two lines. Call it before the run begins: the load average is that of other programs then. */
function describeMachine(): (postgres: string) => string {
  const processors = cpus();
  const cpu = processors[0]?.model.trim() ?? 'unknown';
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  const load = (loadavg()[0] ?? 0).toFixed(2);
  return (postgres) =>
    `${processors.length} cores (${cpu}), ${memoryGiB} GiB, ${process.platform} ${process.arch}; Node ${process.version}; ${postgres}
load average at the start ${load}; sender, receivers and database share the cores`;
}

// Before our own load begins.
const machineLines = describeMachine();

// Standard output contains only the table.
function reportProgress({ name }: Row, result?: RowResult): void {
  if (result === undefined) {
    console.error(`${name} …`);
    return;
  }
  const { outcome, seconds } = result;
  console.error(`  ${outcome.kind === 'measured' ? 'measured' : outcome.why} (${seconds} s)`);
}

async function report(results: readonly RowResult[], { pairs }: BenchOptions, ground: OwnedGround) {
  console.log(machineLines(await ground.describePostgres()));
  console.log(`median of ${pairs} ratios, each of two runs in turn\n\n${tableOf(results)}`);
}

async function bench(options: BenchOptions): Promise<void> {
  const givenUp = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      // Work in progress will fail when its database and receivers are gone; avoid an unhandled rejection.
      process.on('uncaughtException', () => {});
      process.on('unhandledRejection', () => {});
      givenUp.abort(new Error('given up'));
    });
  }
  const ground = createGround({ signal: givenUp.signal, scale: 1 });
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  givenUp.signal.addEventListener('abort', () => reject(givenUp.signal.reason));
  const chosen = rows.filter(({ name, isLong }) =>
    options.only.length === 0 ? isLong !== true : options.only.includes(name),
  );
  const results: RowResult[] = [];
  const onRow = (row: Row, result?: RowResult) => {
    reportProgress(row, result);
    if (result !== undefined) results.push(result);
  };
  try {
    await Promise.race([runBench(chosen, { pairs: options.pairs, ground, onRow }), aborted]);
    process.exitCode = allWell(results) ? 0 : 1;
  } catch (error) {
    if (!givenUp.signal.aborted) throw error;
    process.exitCode = 130;
  } finally {
    // Show the rows that were completed before the interruption.
    if (results.length > 0) await report(results, options, ground);
    await ground.close();
  }
  // Interrupted work may still hold timers and connections.
  process.exit();
}

try {
  const names = rows.map(({ name }) => name);
  const options = readOptions(process.argv.slice(2), names);
  if (options.list) console.log(names.join('\n'));
  else await bench(options);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
