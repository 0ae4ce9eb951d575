import { Agent, type Dispatcher, request } from 'undici';
import { runInFlight } from '../in-flight.ts';
import { type Message, messageHeaders } from './message.ts';

/** Messages in flight: the service's own `DELIVERY_CONCURRENCY`. */
export const inFlight = 64;

/** Sends as fast as undici can, without storing or retrying anything. The upper limit for every sender. */
export interface UndiciLoop {
  send(messages: readonly Message[]): Promise<void>;
  close(): Promise<void>;
}

/** Posts one message. Rejects unless the answer is 200. */
export async function post(dispatcher: Dispatcher, { url, body: sent }: Message): Promise<void> {
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: messageHeaders,
    body: sent,
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`a receiver answered ${statusCode}`);
}

/** Opens a bare loop over undici with persistent connections. */
export function openUndiciLoop(): UndiciLoop {
  const dispatcher = new Agent();
  return {
    send: (messages) =>
      runInFlight(messages.length, inFlight, async (index) => {
        const message = messages[index];
        if (message !== undefined) await post(dispatcher, message);
      }),
    close: () => dispatcher.close(),
  };
}
