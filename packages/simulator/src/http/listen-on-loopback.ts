import { once } from 'node:events';
import type { Server } from 'node:http';

/** Starts listening on 127.0.0.1 and returns the address, without a slash at the end. */
export async function listenOnLoopback(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return `http://127.0.0.1:${address.port}`;
}
