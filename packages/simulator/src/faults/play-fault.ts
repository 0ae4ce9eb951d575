import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedAnswer } from '../http/received-request.ts';
import { sendAnswer, sendText } from '../http/send-answer.ts';
import type { Fault } from './fault.ts';
import { sendEndlessBody, sendOversizedBody, sendSlowBody } from './wrong-bodies.ts';

const page = '<!doctype html><html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>';

/** What a fault is played with. */
export interface FaultStage {
  readonly response: ServerResponse;
  /** Carries the request out and says how it would be answered. */
  readonly usual: () => SimulatedAnswer;
  /** Aborts when the server closes. */
  readonly signal: AbortSignal;
}

/** Plays one fault on one response. Resolves when nothing more will be written. */
export async function playFault(fault: Fault, stage: FaultStage): Promise<void> {
  const { response, usual, signal } = stage;
  switch (fault.kind) {
    case 'latency':
      await wait(fault.milliseconds, undefined, { signal });
      if (fault.followedBy) await playFault(fault.followedBy, stage);
      else sendAnswer(response, usual());
      return;
    case 'status':
      if (fault.retryAfter !== undefined) response.setHeader('Retry-After', String(fault.retryAfter));
      if (typeof fault.body === 'string') sendText(response, fault.status, fault.body, 'text/plain');
      else sendAnswer(response, { status: fault.status, body: fault.body ?? { success: false } });
      return;
    case 'reset':
      await reset(fault.when, stage);
      return;
    case 'hang':
      return;
    case 'slow-body':
      await sendSlowBody(response, usual(), fault.bytesPerSecond, signal);
      return;
    case 'half-json': {
      const { status, body } = usual();
      const text = JSON.stringify(body);
      sendText(response, status, text.slice(0, Math.floor(text.length / 2)), 'application/json');
      return;
    }
    case 'html':
      sendText(response, fault.status ?? 200, page, 'text/html');
      return;
    case 'empty':
      response.writeHead(fault.status ?? 200, { 'content-length': 0 }).end();
      return;
    case 'oversized-body':
      sendOversizedBody(response, usual());
      return;
    case 'endless-body':
      await sendEndlessBody(response, usual(), signal);
      return;
    case 'redirect':
      response.writeHead(fault.status ?? 302, { location: fault.location, 'content-length': 0 }).end();
      return;
    case 'refusal':
      sendAnswer(response, {
        status: 200,
        body: { success: false, message: fault.message ?? 'the waiver was not taken' },
      });
  }
}

async function reset(
  when: 'before-answer' | 'after-headers' | 'after-answer',
  { response, usual }: FaultStage,
): Promise<void> {
  const socket = response.socket;
  if (when !== 'before-answer') {
    const { status, body } = usual();
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    const written = Promise.withResolvers<void>();
    if (when === 'after-answer') response.end(text, () => written.resolve());
    else {
      response.flushHeaders();
      // A first byte of the body, so that the headers have certainly left when the connection goes.
      response.write(text.slice(0, 1), () => written.resolve());
    }
    await written.promise;
    // The caller's own machine drops what it has not read yet when a reset arrives: leave it the time to read.
    await wait(10);
  }
  socket?.resetAndDestroy();
}
