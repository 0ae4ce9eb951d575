import { Agent } from 'node:http';
import axios from 'axios';
import { type Message, messageHeaders } from './message.ts';

/** Posts with axios as its documentation shows, with persistent connections. */
export interface AxiosPoster {
  post(message: Message): Promise<void>;
  close(): void;
}

/** Opens plain axios, with its default Node adapter. */
export function openAxiosPoster(): AxiosPoster {
  const httpAgent = new Agent({ keepAlive: true });
  const client = axios.create({ httpAgent, headers: messageHeaders, timeout: 10_000, maxRedirects: 0 });
  return {
    async post({ url, body }) {
      await client.post(url, body);
    },
    close: () => httpAgent.destroy(),
  };
}
