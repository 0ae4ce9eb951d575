import type { HostApp } from './host-app.ts';

/**
 * Starts to listen.
 * @returns the address as a URL, with the port that was taken
 */
export async function listen(app: HostApp, { host, port }: { host: string; port: number }): Promise<string> {
  await app.listen({ host, port });
  const address = app.server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
}

/** Stops listening and finishes the requests in flight; what is not finished after `graceMs` is cut off. */
export async function stopListening(app: HostApp, graceMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}
