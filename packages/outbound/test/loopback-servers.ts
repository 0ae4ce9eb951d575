import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A server on a free loopback port. */
export interface LoopbackServer {
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

async function listen(server: net.Server): Promise<LoopbackServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => accepted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

// It is never the one to close a kept connection: a process that stands still for seconds would write to one that its
// own server is just closing.
export const serveHttp = (listener: RequestListener) =>
  listen(http.createServer({ keepAliveTimeout: 0 }, listener));

/** Answers each connection's first bytes as told: for answers that no HTTP server would give. */
export const serveBytes = (answer: (socket: Socket) => void) =>
  listen(net.createServer((socket) => socket.once('data', () => answer(socket))));

/** Accepts connections and says nothing, ever. */
export const serveSilence = () => listen(net.createServer(() => {}));
