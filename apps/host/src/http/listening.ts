import type { Socket } from 'node:net';
import type { HostApp } from './host-app.ts';

// Browsers and load balancers open connections in advance. Node does not count one without a request as idle, and would
// wait for it.
function closeUnusedConnections(app: HostApp): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  });
}

/**
 * For `localhost`, Fastify would also listen on `::1`, with a second server. If another program had that port there,
 * callers would reach one or the other, without any error.
 */
const addressOf = (host: string) => (host === 'localhost' ? '127.0.0.1' : host);

/**
 * Starts to listen.
 * @returns the URL, with the actual port
 */
export async function listen(app: HostApp, { host, port }: { host: string; port: number }): Promise<string> {
  // After the other hooks: no connection is accepted between this one and the end of listening.
  closeUnusedConnections(app);
  await app.listen({ host: addressOf(host), port });
  const address = app.server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`;
}

/** Stops listening and finishes open requests. Closes the connections that are still open after `graceMs`. */
export async function stopListening(app: HostApp, graceMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}
