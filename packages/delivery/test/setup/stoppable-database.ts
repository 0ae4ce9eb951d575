import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const socketName = '.s.PGSQL.5432';

/** A proxy to the test run's database that can stop forwarding: connections stay open, without any response. */
export async function stoppableDatabase(databaseUrl: string) {
  const folder = /[?&]host=([^&]+)/.exec(databaseUrl)?.[1];
  if (folder === undefined) throw new Error('the database of the test run is not at a unix socket');
  const ownFolder = await mkdtemp(join(tmpdir(), 'ws-'));
  const sockets = new Set<Socket>();
  let isStopped = false;

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    if (isStopped) from.pause();
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }
  const server = createServer((near) => {
    const far = openSocket(join(decodeURIComponent(folder), socketName));
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => server.listen(join(ownFolder, socketName), resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(ownFolder, { recursive: true, force: true });
  });
  return {
    url: databaseUrl.replace(`host=${folder}`, `host=${encodeURIComponent(ownFolder)}`),
    stop() {
      isStopped = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isStopped = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
