import type { HostApp } from './host-app.ts';

/**
 * Starts to listen.
 * @returns the URL, with the actual port
 */
export async function listen(app: HostApp, { host, port }: { host: string; port: number }): Promise<string> {
  await app.listen({ host, port });
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
