import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedAnswer } from '../http/received-request.ts';
import { sendText } from '../http/send-answer.ts';

const largestReadBody = 5 * 1024 * 1024;
const ticksPerSecond = 20;
const headers = { 'content-type': 'application/json' };

/** Sends an answer at a given speed, with its true length announced. */
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

/** Sends an answer that is good JSON and one byte longer than a reader may take. */
export function sendOversizedBody(response: ServerResponse, { status, body }: SimulatedAnswer): void {
  const text = JSON.stringify(body);
  const padding = ' '.repeat(largestReadBody + 1 - Buffer.byteLength(text));
  sendText(response, status, text + padding, 'application/json');
}

/** Sends white space until the caller hangs up or the server closes. */
export async function sendEndlessBody(
  response: ServerResponse,
  { status, body }: SimulatedAnswer,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(status, headers);
  response.write(JSON.stringify(body).slice(0, 1));
  const block = Buffer.alloc(64 * 1024, ' ');
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const either = AbortSignal.any([ended.signal, signal]);
  while (!either.aborted) {
    if (!response.write(block)) await once(response, 'drain', { signal: either });
  }
}
