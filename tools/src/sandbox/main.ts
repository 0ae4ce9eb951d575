import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startBookingSystem } from '@waiver-service/simulator';
import { showDetail, showHeading, showStep } from '../demo/screen.ts';

/** For local experiments only: the simulated booking system listens on loopback and has made-up guests. */
const apiKey = 'sandbox-key';
const usualPort = 4010;

function portOfArguments(): number {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const port = Number(values.port ?? usualPort);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`--port is ${values.port}: it must be a port, or 0 for any free one`);
}

async function main(): Promise<void> {
  const system = await startBookingSystem({
    port: portOfArguments(),
    apiKey,
    authHeaderName: 'api-key',
    pathShape: 'path',
    form: 'current',
  });
  showHeading('Sandbox');
  showStep(`A simulated booking system listens on ${system.url}`);
  showDetail(
    'booking system   Standard booking system',
    `address          ${system.url}`,
    'account id       4711',
    `API key          ${apiKey}`,
    `bookings         ${system.bookings.all.map(({ id }) => id).join(', ')}`,
    '',
    'The service may call it if it was started with OUTBOUND_ALLOW=127.0.0.1/32. Ctrl-C ends it.',
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await system.close();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  console.error('\nnpm run sandbox [-- --port <port>]');
  process.exitCode = 2;
});
