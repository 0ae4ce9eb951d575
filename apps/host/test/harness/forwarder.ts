import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenLocally } from '@waiver-service/testing';

/** A TCP address whose target can change, like a proxy's. */
export interface Forwarder {
  readonly port: number;
  /** Leads new connections to a server's Unix socket. */
  leadTo(socketPath: string): void;
  /** Breaks every connection off, and refuses new ones until it leads somewhere. */
  cut(): void;
  /** Passes nothing on and ends nothing, as where a machine has vanished; new connections lead on where it leads. */
  vanish(): void;
  close(): Promise<void>;
}

/** @param delayMs - how long each way of what passes takes */
export async function startForwarder({ delayMs = 0 } = {}): Promise<Forwarder> {
  let target: string | undefined;
  const open = new Set<Socket>();
  const vanished = new Set<Socket>();

  const pass = (from: Duplex, to: Duplex) => {
    const later = (action: () => void) => void (delayMs === 0 ? action() : setTimeout(action, delayMs));
    from.on('data', (part) => later(() => to.writable && to.write(part)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => later(() => to.destroy()));
  };

  const server = createServer((inbound) => {
    if (target === undefined) return void inbound.resetAndDestroy();
    const outbound = connect(target);
    for (const socket of [inbound, outbound]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    inbound.setNoDelay(true);
    pass(inbound, outbound);
    pass(outbound, inbound);
  });
  const port = await listenLocally(server);
  return {
    port,
    leadTo(socketPath) {
      target = socketPath;
    },
    cut() {
      target = undefined;
      for (const socket of open) socket.destroy();
    },
    vanish() {
      target = undefined;
      for (const socket of open) {
        socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close').pause();
        vanished.add(socket);
      }
      open.clear();
    },
    async close() {
      for (const socket of [...open, ...vanished]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
