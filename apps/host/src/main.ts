import { createHost, type Host } from './composition/create-host.ts';
import { createLogger, flushLog } from './logging/create-logger.ts';
import { readSettings, SettingsError } from './settings/read-settings.ts';

const patienceMs = 15_000;

function settingsOrExit() {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const settings = settingsOrExit();
const logger = createLogger(settings.logLevel);
let host: Host | undefined;
let ending = false;

// Whoever reads our output may go away; that must not end the host.
process.stdout.on('error', () => {});

async function end(status: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(status), settings.outboundTimeout + patienceMs).unref();
  // Told to end while starting: what has been opened by then is closed when the start is over.
  await starting.catch(() => {});
  await host?.close();
  await flushLog(logger);
  process.exit(status);
}

async function fail(error: unknown): Promise<void> {
  logger.fatal({ err: error }, 'an error that nobody handled; the host ends');
  await end(1);
}

// Installed for good, so that a second signal (npm sends one too) is not the end of an orderly end.
process.on('SIGTERM', () => void end(0));
process.on('SIGINT', () => void end(0));
process.on('uncaughtException', (error) => void fail(error));
process.on('unhandledRejection', (error) => void fail(error));

const starting = createHost(settings, { logger });

try {
  host = await starting;
  if (host.adminTokenFile !== undefined)
    process.stdout.write(`the admin token is in ${host.adminTokenFile}\n`);
  if (!ending) process.stdout.write(`listening on ${host.url}\n`);
} catch (error) {
  logger.debug({ err: error }, 'the start failed');
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The host could not start: ${reason}\n`);
  await end(1);
}
