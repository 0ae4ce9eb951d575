import { Agent, request } from 'undici';
import { runInFlight } from '../in-flight.ts';
import { type Message, messageHeaders } from './message.ts';

/** Messages in flight: the same as the service's own `DELIVERY_CONCURRENCY`. */
export const inFlight = 64;

/** Sends and forgets, as fast as undici can: nothing is stored, nothing is tried again. The limit of every sender. */
export interface UndiciLoop {
  send(messages: readonly Message[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a bare loop over undici with its connections kept. */
export function openUndiciLoop(): UndiciLoop {
  const dispatcher = new Agent();
  return {
    send: (messages) =>
      runInFlight(messages.length, inFlight, async (index) => {
        const message = messages[index];
        if (message === undefined) return;
        const { statusCode, body } = await request(message.url, {
          dispatcher,
          method: 'POST',
          headers: messageHeaders,
          body: message.body,
        });
        await body.dump();
        if (statusCode !== 200) throw new Error(`a receiver answered ${statusCode}`);
      }),
    close: () => dispatcher.close(),
  };
}
