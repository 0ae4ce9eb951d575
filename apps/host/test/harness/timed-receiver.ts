import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listenLocally, until } from '@waiver-service/testing';
import type { Program } from './program.ts';

/** One message that was sent, from its arrival to the end of its connection's part in it. */
export interface TimedMessage {
  /** Where it was sent: the first part of the path. */
  readonly destination: string;
  /** The whole path. */
  readonly path: string;
  readonly waiverId: string;
  readonly updatedAt: string;
  /** How many messages of the same waiver were on their way to the same destination when it came. */
  readonly alongside: number;
  readonly status: number | 'reset';
}

/** Whether a message is taken, refused, or its connection reset before or after it was taken. */
export type Reception = 'taken' | 'refused' | 'reset';

const booking = {
  id: 'B-1',
  status: 'confirmed',
  pax: 2,
  bookedSessions: [{ startsAt: '2026-12-01T09:00:00Z', activityName: 'Rafting' }],
  contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
  guests: [],
};

/**
 * A booking system's and webhook receivers' end in one, that takes its time over each message and notices when two of
 * one waiver are on their way to one destination at once.
 */
export async function startTimedReceiver(receive: () => Reception) {
  const messages: TimedMessage[] = [];
  const underWay = new Map<string, number>();

  async function answer(reception: Reception, response: ServerResponse): Promise<void> {
    await delay(5 + Math.random() * 15);
    if (reception === 'reset') response.socket?.resetAndDestroy();
    else response.writeHead(reception === 'taken' ? 200 : 503).end('{"success":true}');
  }

  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify(booking));
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const { waiver, guest } = JSON.parse(Buffer.concat(parts).toString());
    const { id: waiverId, updatedAt } = waiver ?? guest;
    const path = request.url ?? '';
    const destination = path.split('/')[1] ?? '';
    const lane = `${destination} ${waiverId}`;
    const alongside = underWay.get(lane) ?? 0;
    const reception = receive();
    const status = { taken: 200, refused: 503, reset: 'reset' as const }[reception];
    messages.push({ destination, path, waiverId, updatedAt, alongside, status });
    underWay.set(lane, alongside + 1);
    response.once('close', () => underWay.set(lane, (underWay.get(lane) ?? 1) - 1));
    await answer(reception, response);
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    messages,
    /** Waits until more than so many other messages have come. */
    async untilMore(count = 40): Promise<void> {
      const before = messages.length;
      await until(() => messages.length > before + count, 'messages to arrive', 60_000);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Makes the pool `p`, whose booking system and webhook are a receiver's. @returns its access token */
export async function makeSendingPool(host: Program, receiver: { readonly url: string }): Promise<string> {
  const token = await host.makePool('p');
  await host.connect('standard', { url: `${receiver.url}/system` }, 'p');
  const webhook = { url: `${receiver.url}/webhook`, auth: { type: 'none' } };
  await host.done('POST', '/v1/admin/pools/p/webhooks', webhook);
  return token;
}
