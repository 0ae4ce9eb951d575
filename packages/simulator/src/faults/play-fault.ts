import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedAnswer } from '../http/received-request.ts';
import { sendAnswer, sendText } from '../http/send-answer.ts';
import { sendEndlessBody, sendOversizedBody, sendSlowBody } from './broken-bodies.ts';
import type { Fault } from './fault.ts';

const page = '<!doctype html><html><head><title>Gateway</title></head><body><h1>It works!</h1></body></html>';

/** The request that a fault affects. */
export interface FaultTarget {
  readonly response: ServerResponse;
  /** Carries out the request and returns the normal response. */
  readonly carryOut: () => SimulatedAnswer;
  /** Aborted when the server closes. */
  readonly signal: AbortSignal;
}

/** Plays a fault. Resolves when nothing more will be written to the response. */
export async function playFault(fault: Fault, target: FaultTarget): Promise<void> {
  const { response, carryOut, signal } = target;
  switch (fault.kind) {
    case 'latency':
      await wait(fault.milliseconds, undefined, { signal });
      if (fault.followedBy) await playFault(fault.followedBy, target);
      else sendAnswer(response, carryOut());
      return;
    case 'status':
      if (fault.retryAfter !== undefined) response.setHeader('Retry-After', String(fault.retryAfter));
      if (typeof fault.body === 'string') sendText(response, fault.status, fault.body, 'text/plain');
      else sendAnswer(response, { status: fault.status, body: fault.body ?? { success: false } });
      return;
    case 'reset':
      await reset(fault.when, target);
      return;
    case 'hang':
      return;
    case 'slow-body':
      await sendSlowBody(response, carryOut(), fault.bytesPerSecond, signal);
      return;
    case 'half-json': {
      const { status, body } = carryOut();
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
      sendOversizedBody(response, carryOut());
      return;
    case 'endless-body':
      await sendEndlessBody(response, carryOut(), signal);
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
  { response, carryOut }: FaultTarget,
): Promise<void> {
  const socket = response.socket;
  if (when !== 'before-answer') {
    const { status, body } = carryOut();
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    const written = Promise.withResolvers<void>();
    if (when === 'after-answer') response.end(text, () => written.resolve());
    else {
      response.flushHeaders();
      // A byte of the body ensures that the headers were sent before the reset.
      response.write(text.slice(0, 1), () => written.resolve());
    }
    await written.promise;
    // On a reset, the caller's kernel discards unread data: give it time to read.
    await wait(10);
  }
  socket?.resetAndDestroy();
}
