import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const answerOf = (length: number) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const mebibyte = Buffer.alloc(1024 * 1024, ' ');

async function pour(socket: Socket, mebibytes: number): Promise<void> {
  for (let count = 0; count < mebibytes && !socket.destroyed; count += 1) {
    if (!socket.write(mebibyte)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
  }
}

async function drip(socket: Socket, text: string, everyMs: number): Promise<void> {
  for (const character of text) {
    if (socket.destroyed) return;
    socket.write(character);
    await delay(everyMs);
  }
}

/** Ways to answer that are none; each is written to the connection as it is. */
export const lies = {
  'takes it and resets': async (socket) => {
    socket.write(`${answerOf(60)}{"success":`);
    await delay(20);
    socket.resetAndDestroy();
  },
  'one byte a second': async (socket) => {
    socket.write(answerOf(60));
    await drip(socket, ' '.repeat(60), 1_000);
  },
  'one byte of a header a second': (socket) => drip(socket, answerOf(60), 1_000),
  '100 MB': async (socket) => {
    socket.write(answerOf(100 * 1024 * 1024));
    await pour(socket, 100);
  },
  'a body that never ends': async (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
    await pour(socket, Number.POSITIVE_INFINITY);
  },
  'headers that never end': async (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    while (!socket.destroyed) {
      if (!socket.write(`X-More: ${'x'.repeat(4_000)}\r\n`)) {
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
    }
  },
  'headers and nothing more': async (socket) => {
    socket.write(answerOf(60));
  },
  'no answer': async () => {},
  'a redirect inwards': async (socket) => {
    socket.write(
      'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://169.254.169.254/latest/meta-data/\r\nContent-Length: 0\r\n\r\n',
    );
  },
  'no HTTP': async (socket) => {
    socket.end('220 mail.example ESMTP\r\n');
  },
} satisfies Readonly<Record<string, (socket: Socket) => Promise<void>>>;

/** One of {@link lies}. */
export type Lie = keyof typeof lies;

/** The part of an address that asks for a lie. */
export const pathOf = (lie: string) => lie.replaceAll(' ', '-').toLowerCase();

/** A receiver that answers each request with the lie that its address names. */
export async function startLyingReceiver() {
  const sockets = new Set<Socket>();
  const byPath = new Map<string, (socket: Socket) => Promise<void>>(
    Object.entries(lies).map(([name, tell]) => [pathOf(name), tell]),
  );
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (part) => {
      const [, path = ''] = /^[A-Z]+ (\S+) HTTP/.exec(part.toString('latin1')) ?? [];
      const named = path.split(/[/?]/).find((step) => byPath.has(step));
      // Who was lied to hangs up in the middle of it.
      byPath
        .get(named ?? '')?.(socket)
        .catch(() => {});
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
