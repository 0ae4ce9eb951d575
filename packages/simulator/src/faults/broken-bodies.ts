import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedAnswer } from '../http/received-request.ts';
import { sendText } from '../http/send-answer.ts';

// The service's own limit for a response.
const maxResponseBytes = 5 * 1024 * 1024;
const ticksPerSecond = 20;
const headers = { 'content-type': 'application/json' };

/** Sends a response at a limited speed, with its actual `Content-Length`. */
export async function sendSlowBody(
  response: ServerResponse,
  { status, body }: SimulatedAnswer,
  bytesPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const step = Math.max(1, Math.round(bytesPerSecond / ticksPerSecond));
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  for (let start = 0; start < bytes.length && !response.destroyed; start += step) {
    response.write(bytes.subarray(start, start + step));
    await wait((step / bytesPerSecond) * 1000, undefined, { signal });
  }
  response.end();
}

/** Sends a response of valid JSON that is one byte over the limit. */
export function sendOversizedBody(response: ServerResponse, { status, body }: SimulatedAnswer): void {
  const text = JSON.stringify(body);
  const padding = ' '.repeat(maxResponseBytes + 1 - Buffer.byteLength(text));
  sendText(response, status, text + padding, 'application/json');
}

/** Sends white space until the caller disconnects or the server closes. */
export async function sendEndlessBody(
  response: ServerResponse,
  { status, body }: SimulatedAnswer,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(status, headers);
  response.write(JSON.stringify(body).slice(0, 1));
  const block = Buffer.alloc(64 * 1024, ' ');
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const stop = AbortSignal.any([disconnected.signal, signal]);
  while (!stop.aborted) {
    if (!response.write(block)) await once(response, 'drain', { signal: stop });
  }
}
