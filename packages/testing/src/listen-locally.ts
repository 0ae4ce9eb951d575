import { once } from 'node:events';
import type { Server } from 'node:net';

/** Has a server listen on this computer alone, at a port that is free; gives the port. */
export async function listenLocally(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
