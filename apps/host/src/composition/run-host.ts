import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, flushLog } from '../logging/create-logger.ts';
import { settingsOfEnvironment } from '../settings/environment.ts';
import { SettingsError } from '../settings/read-settings.ts';
import { createHost, type Host } from './create-host.ts';

// How long a signal waits for a start that does not get anywhere.
const startPatienceMs = 3_000;
// How long the end may take beyond what is in flight.
const endPatienceMs = 15_000;

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
 * Runs a host as this process: says where it listens, and ends the process with status 0 when it is asked to, with 1
 * when it cannot start or an error was handled by nobody.
 * @param onEnd - is given the function that ends it in order; calling that twice is fine
 */
export async function runHost(onEnd: (end: () => void) => void): Promise<void> {
  const settings = settingsOrExit();
  const logger = createLogger(settings.logLevel);
  let host: Host | undefined;
  let ending = false;

  async function end(status: number): Promise<void> {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(status), settings.outboundTimeout + endPatienceMs).unref();
    // Asked to end while starting: what has been opened is closed when the start is over.
    await Promise.race([starting.catch(() => {}), delay(startPatienceMs)]);
    await host?.close();
    await flushLog(logger);
    process.exit(status);
  }

  async function fail(error: unknown): Promise<void> {
    logger.fatal({ err: error }, 'an error that nobody handled; the host ends');
    await end(1);
  }

  onEnd(() => void end(0));
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (error) => void fail(error));
  // Whoever reads our output may go away; that must not end the host.
  process.stdout.on('error', () => {});

  const starting = createHost(settings, { logger });
  try {
    host = await starting;
  } catch (error) {
    logger.debug({ err: error }, 'the start failed');
    const reason = error instanceof Error ? error.message : String(error);
    if (!ending) process.stderr.write(`The host could not start: ${reason}\n`);
    return end(1);
  }
  if (ending) return;
  if (host.adminTokenFile !== undefined)
    process.stdout.write(`the admin token is in ${host.adminTokenFile}\n`);
  process.stdout.write(`listening on ${host.url}\n`);
}
