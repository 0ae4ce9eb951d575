import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, flushLog } from '../logging/create-logger.ts';
import { settingsOfEnvironment } from '../settings/environment.ts';
import { SettingsError } from '../settings/environment-fields.ts';
import { createHost, type Host } from './create-host.ts';

// How long a signal waits for a start that makes no progress.
const startPatienceMs = 3_000;
// How long the shutdown may take in addition to open requests.
const endPatienceMs = 15_000;
// npm forwards a signal that its whole process group has already received: within this time, it is the same signal.
const sameSignalMs = 300;

function settingsOrExit() {
  try {
    return settingsOfEnvironment();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/**
 * Runs a host as this process: prints where it listens, and exits with 0 when asked to stop, or with 1 when it cannot
 * start, can no longer work, or an error was unhandled.
 *
 * Platforms send SIGTERM, and route new requests to other hosts; requests that still arrive here are answered for
 * `DRAIN_TIME`. A second signal cuts that short. SIGINT comes from a person at a terminal, who need not wait.
 * @param onSignal - receives the function that takes signals, which may be called more than once
 */
export async function runHost(onSignal: (take: (signal: NodeJS.Signals) => void) => void): Promise<void> {
  const settings = settingsOrExit();
  const logger = createLogger(settings.logLevel);
  const drain = new AbortController();
  let host: Host | undefined;
  let endingSince: number | undefined;

  async function end(status: number, drainMs: number): Promise<void> {
    if (endingSince !== undefined) return;
    endingSince = performance.now();
    setTimeout(() => process.exit(status), drainMs + settings.outboundTimeout + endPatienceMs).unref();
    // A signal arrived during the start: close everything once the start is over.
    await Promise.race([starting.catch(() => {}), delay(startPatienceMs)]);
    if (host !== undefined && drainMs > 0) {
      host.drain();
      logger.info(`shutting down in ${drainMs / 1000} s: no longer ready, still serving requests`);
      await delay(drainMs, undefined, { signal: drain.signal }).catch(() => {});
    }
    await host?.close();
    await flushLog(logger);
    process.exit(status);
  }

  async function fail(error: unknown, message: string): Promise<void> {
    logger.fatal({ err: error }, message);
    drain.abort();
    await end(1, 0);
  }
  const failUnhandled = (error: unknown) => void fail(error, 'unhandled error; the host ends');

  onSignal((signal) => {
    if (endingSince === undefined) void end(0, signal === 'SIGTERM' ? settings.drainTime : 0);
    else if (performance.now() - endingSince > sameSignalMs) drain.abort();
  });
  process.on('uncaughtException', failUnhandled);
  process.on('unhandledRejection', failUnhandled);
  // The reader of the output may exit; that must not end the host.
  process.stdout.on('error', () => {});

  const starting = createHost(settings, { logger });
  try {
    host = await starting;
  } catch (error) {
    logger.debug({ err: error }, 'the start failed');
    const reason = error instanceof Error ? error.message : String(error);
    if (endingSince === undefined) process.stderr.write(`The host could not start: ${reason}\n`);
    return end(1, 0);
  }
  void host.lost.then((error) => {
    process.stderr.write(`The host ends: ${error.message}\n`);
    return fail(error, 'the database is lost; the host ends');
  });
  if (endingSince !== undefined) return;
  if (host.adminTokenFile !== undefined)
    process.stdout.write(`the admin token is in ${host.adminTokenFile}\n`);
  if (host.databaseFolder !== undefined) {
    process.stdout.write(
      `the database is in ${host.databaseFolder}, not in ${settings.dataDir}, which its user cannot enter: keep, move and remove both together\n`,
    );
  }
  if (host.operationsUrl !== undefined) process.stdout.write(`operations on ${host.operationsUrl}\n`);
  process.stdout.write(`listening on ${host.url}\n`);
}
