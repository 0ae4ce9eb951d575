import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { startBookingSystem, startWebhookReceiver } from '@waiver-service/simulator';
import colors from 'picocolors';
import { type HostProcess, startHostProcess } from '../host-process.ts';
import { showDetail, showHeading, showStep } from './screen.ts';
import { bookingId, type Cast, install, pool, readBooking, setWebhook } from './story.ts';
import { WaiverServiceClient } from './waiver-service-client.ts';
import { changeWaiverDuringOutage, signWaiver, voidWaiver } from './waiver-story.ts';

const dataDir = join(import.meta.dirname, '../../../.data/demo');
const logFile = `${dataDir}.log`;

/** The usual port where it is free, so that the address stays the same over runs. */
async function findPort(usual = 8080): Promise<number> {
  const server = createServer();
  const isFree = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(usual, '127.0.0.1');
  const port = (await isFree) ? usual : 0;
  server.close();
  return port;
}

async function tellStory(cast: Cast): Promise<void> {
  await install(cast);
  await setWebhook(cast);
  const app = await readBooking(cast);
  const record = await signWaiver(cast, app);
  await changeWaiverDuringOutage(cast, app, record);
  await voidWaiver(cast, app, record);
}

function showWhereToLook(url: string): void {
  const token = relative(process.cwd(), join(dataDir, 'admin-token'));
  const authorization = `-H "Authorization: Bearer $(cat ${token})"`;
  showHeading('Where to look');
  showDetail(
    `every route, to read and to try     ${url}/docs`,
    `what was sent, and each attempt     curl ${authorization} ${url}/v1/admin/deliveries`,
    `the booking, pre-filled             curl ${authorization} ${url}/v1/pools/${pool}/bookings/${bookingId}`,
    `the host’s log                      ${relative(process.cwd(), logFile)}`,
  );
  console.log(`\n${colors.bold(`The waiver service runs at ${url}. Ctrl-C ends it.`)}`);
}

async function startHost(): Promise<HostProcess> {
  const startedAt = performance.now();
  // Only the folder above: the host makes its own, with the mode that its PostgreSQL can live with.
  mkdirSync(dirname(dataDir), { recursive: true });
  const log = createWriteStream(logFile, { mode: 0o600 });
  const host = await startHostProcess({
    dataDir,
    port: await findPort(),
    run: 'built',
    onLogLine: (line) => log.write(`${line}\n`),
    settings: { RETRY_SCHEDULE: '0s,2s,5s,30s,5m,1h' },
  });
  showStep(`The host listens on ${host.url}, on its own PostgreSQL`, performance.now() - startedAt);
  return host;
}

async function main(): Promise<number> {
  const interrupted = new Promise<void>((resolve) => {
    process.on('SIGINT', resolve);
    process.on('SIGTERM', resolve);
  });
  const webhookSecret = randomBytes(16).toString('hex');
  const bookingSystem = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey: randomBytes(16).toString('hex'),
    pathShape: 'path',
    form: 'current',
  });
  const receiver = await startWebhookReceiver({
    auth: { type: 'header', name: 'X-Demo-Secret', value: webhookSecret },
  });
  showHeading('Start');
  showStep(
    `A simulated booking system listens on ${bookingSystem.url}, a webhook receiver on ${receiver.url}`,
  );
  const host = await startHost();
  try {
    const operator = new WaiverServiceClient(host.url, host.adminToken);
    const story = tellStory({ url: host.url, operator, bookingSystem, receiver, webhookSecret });
    const ending = await Promise.race([story.then(() => 'told'), interrupted, host.ended]);
    if (ending === 'told') {
      showWhereToLook(host.url);
      await Promise.race([interrupted, host.ended]);
    }
    console.log('\nStopping …');
  } finally {
    await host.stop();
    await Promise.all([bookingSystem.close(), receiver.close()]);
  }
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(colors.red(error instanceof Error ? error.message : String(error)));
  return 1;
});
