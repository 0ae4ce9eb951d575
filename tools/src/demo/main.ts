import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HostDidNotStart, type HostProcess, startHostProcess } from '@waiver-service/host/process';
import { startOcto } from '@waiver-service/plugin-octo/simulator';
import { seededBookings, startBookingSystem, startWebhookReceiver } from '@waiver-service/simulator';
import colors from 'picocolors';
import { z } from 'zod';
import { demoDays, octoBookingsOf, showSaturday } from './saturday.ts';
import { showDetail, showHeading, showStep } from './screen.ts';
import { bookingId, makeCheckInLink, pool, showCheckInLink, tellStory } from './story.ts';
import { HostLog, WaiverServiceClient } from './waiver-service.ts';

/** The simulator's bookings, on another day. */
const bookingsOn = (day: string) =>
  seededBookings.map((booking) => ({
    ...booking,
    bookedSessions: booking.bookedSessions.map((session) => ({
      ...session,
      startsAt: session.startsAt.replace(/^[^T]+/, day),
      endsAt: session.endsAt.replace(/^[^T]+/, day),
    })),
  }));

interface Places {
  readonly url: string;
  readonly dataDir: string;
  readonly log: HostLog;
  readonly signInLink: string;
  readonly saturday: string;
}

function showWhereToLook({ url, dataDir, log, signInLink, saturday }: Places): void {
  const token = relative(process.cwd(), join(dataDir, 'admin-token'));
  const authorization = `-H "Authorization: Bearer $(cat ${token})"`;
  showHeading('Where to look');
  showDetail(
    `the console, signed in (once)       ${signInLink}`,
    `there, the day board                ${url}/console/day?pool=${pool}&date=${saturday}`,
    `every route, to read and to try     ${url}/docs`,
    `what was sent, and each attempt     curl ${authorization} ${url}/v1/admin/deliveries`,
    `the booking, pre-filled             curl ${authorization} ${url}/v1/pools/${pool}/bookings/${bookingId}`,
    `the host’s log                      ${relative(process.cwd(), log.file)}`,
  );
  console.log(`\n${colors.bold(`The waiver service runs at ${url}. Ctrl-C ends it.`)}`);
}

async function signInLink(operator: WaiverServiceClient): Promise<string> {
  const { body } = await operator.call('POST', '/v1/admin/sign-in-links', z.object({ url: z.url() }), {});
  return body.url;
}

async function startHost(dataDir: string, log: HostLog, signal: AbortSignal): Promise<HostProcess> {
  const startedAt = performance.now();
  // Only the parent: the host creates its own folder with a mode that PostgreSQL accepts.
  mkdirSync(dirname(dataDir), { recursive: true });
  const startOn = (port: number) =>
    startHostProcess({
      dataDir,
      port,
      environment: process.env,
      onLogLine: (line) => log.write(line),
      settings: { RETRY_SCHEDULE: '0s,2s,5s,30s,5m,1h' },
      signal,
    });
  // The usual port if it is free, so that the address is the same in each run.
  const host = await startOn(8080).catch((error: unknown) => {
    if (error instanceof HostDidNotStart && error.message.includes('PORT: another program'))
      return startOn(0);
    throw error;
  });
  log.open();
  showStep(`The host listens on ${host.url}, on its own PostgreSQL`, performance.now() - startedAt);
  return host;
}

async function runDemo(dataDir: string, signal: AbortSignal): Promise<number> {
  const interrupted = new Promise<'interrupted'>((done) => {
    signal.addEventListener('abort', () => done('interrupted'));
  });
  const webhookSecret = randomBytes(16).toString('hex');
  const days = demoDays(new Date());
  const bookingSystem = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey: randomBytes(16).toString('hex'),
    pathShape: 'path',
    form: 'current',
    bookings: bookingsOn(days.today),
  });
  const octoKey = randomBytes(16).toString('hex');
  const octo = await startOcto({
    apiKey: octoKey,
    bookings: [days.saturday, days.today].flatMap(octoBookingsOf),
  });
  const receiver = await startWebhookReceiver({
    auth: { type: 'header', name: 'X-Demo-Secret', value: webhookSecret },
  });
  showHeading('Start');
  showStep(
    `A simulated booking system listens on ${bookingSystem.url}, a webhook receiver on ${receiver.url}`,
  );
  const log = new HostLog(`${dataDir}.log`);
  const host = await startHost(dataDir, log, signal);
  try {
    const operator = new WaiverServiceClient(host.url, host.adminToken);
    const story = tellStory({ url: host.url, operator, bookingSystem, receiver, webhookSecret }).then(() =>
      showSaturday({ operator, octo, octoKey, days }),
    );
    const hostEnded = host.ended.then(() => 'host ended' as const);
    let ending = await Promise.race([story.then(() => 'told' as const), interrupted, hostEnded]);
    if (ending === 'told') {
      showCheckInLink(await makeCheckInLink({ operator }));
      showWhereToLook({
        url: host.url,
        dataDir,
        log,
        signInLink: await signInLink(operator),
        saturday: days.saturday,
      });
      ending = await Promise.race([interrupted, hostEnded]);
    }
    if (ending === 'host ended') {
      throw new Error(
        `The host ended by itself, with status ${await host.ended}: its log is in ${log.file}.`,
      );
    }
    console.log('\nStopping …');
  } finally {
    await host.stop();
  }
  return 0;
}

function dataDirOfArguments(): string {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
  return resolve(values['data-dir'] ?? join(import.meta.dirname, '../../../.data/demo'));
}

async function main(): Promise<number> {
  let dataDir: string;
  try {
    dataDir = dataDirOfArguments();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error('\nnpm run demo [-- --data-dir <folder>]');
    return 2;
  }
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => controller.abort());
  try {
    return await runDemo(dataDir, controller.signal);
  } catch (error) {
    if (controller.signal.aborted) return 0;
    console.error(colors.red(error instanceof Error ? error.message : String(error)));
    if (error instanceof HostDidNotStart && error.message.includes('another waiver service')) {
      console.error(
        'The demo runs already in this checkout: end that one, or give this one another folder: npm run demo -- --data-dir <folder>',
      );
    }
    return 1;
  }
}

// An interrupted story still waits for messages.
process.exit(await main());
