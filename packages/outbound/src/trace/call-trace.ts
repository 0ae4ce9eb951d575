import type { BookingSystemError } from '@waiver-service/core';
import { Agent, type Dispatcher } from 'undici';
import type { GuardedNames } from '../addresses/address-guard.ts';
import { parseBody, startOf, textOf, type UnsentRequest } from '../exchange.ts';
import { isSecretName, redactUrl, type SecretRedactor } from '../redaction/secrets.ts';
import type { RequestTimes, TransportResult } from '../transport/transport.ts';
import {
  createTracedConnector,
  type ShownBody,
  type ShownHeader,
  type TraceStep,
  type WaitStep,
} from './trace-steps.ts';

/** A call and its times, by `performance.now()`. */
export interface TracedCall {
  readonly sent: UnsentRequest;
  readonly result: TransportResult;
  readonly error: BookingSystemError | undefined;
  readonly redactor: SecretRedactor;
  readonly startedAt: number;
  readonly times: RequestTimes;
}

const maxSteps = 200;
const maxBodyBytes = 256 * 1024;
const maxTraceBytes = 1024 * 1024;
const redacted = '«redacted»';

// Any other header may be a credential, whatever its name.
const openRequestHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'user-agent',
]);

function shownRequestHeaders({ headers: { wire } }: UnsentRequest): ShownHeader[] {
  return wire.flatMap((name, place) => {
    if (place % 2 === 1) return [];
    const value = openRequestHeaders.has(name.toLowerCase()) ? (wire[place + 1] ?? '') : redacted;
    return [{ name, value }];
  });
}

const shownAnswerHeaders = ({ headers }: TransportResult, redactor: SecretRedactor): ShownHeader[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const shown = isSecretName(name) ? redacted : redactor.redact(String(value));
    return [{ name, value: shown }];
  });

/** Records the calls of one use, over separate connections, for a person to inspect. */
export class CallTrace {
  readonly dispatcher: Dispatcher;
  readonly #startedAt = performance.now();
  // Described only when read, once all secrets that a response may echo are known.
  readonly #steps: { readonly startedAt: number; readonly describe: () => TraceStep }[] = [];
  #bytesLeft = maxTraceBytes;
  #endedAt: number | undefined;

  constructor(names: GuardedNames, timeoutMs: number) {
    this.dispatcher = new Agent({
      connect: createTracedConnector(names, timeoutMs, (step, startedAt, endedAt) =>
        this.#add(startedAt, () => ({ ...step, ...this.#times(startedAt, endedAt) })),
      ),
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** All steps so far, in order of their start. */
  steps(): readonly TraceStep[] {
    this.#bytesLeft = maxTraceBytes;
    return this.#steps
      .toSorted((one, other) => one.startedAt - other.startedAt)
      .slice(0, maxSteps)
      .map(({ describe }) => describe());
  }

  /** Marks the end of the use, once its responses have been read. */
  end(): void {
    this.#endedAt = performance.now();
  }

  /** Milliseconds from the start of the trace to the end of the use, or to now. */
  get endedMs(): number {
    return this.#times(this.#startedAt, this.#endedAt ?? performance.now()).durationMs;
  }

  /** Closes the connections, even if calls are in flight. */
  close(): Promise<void> {
    return this.dispatcher.destroy();
  }

  /** Records a wait before a request. */
  async waitFor<Result>(kind: WaitStep['kind'], wait: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const end = (failure?: { readonly failure: string }) => {
      const endedAt = performance.now();
      this.#add(startedAt, () => ({ kind, ...this.#times(startedAt, endedAt), ...failure }));
    };
    try {
      const result = await wait();
      end();
      return result;
    } catch (error) {
      end({ failure: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  /** Reads a body as the client does. */
  parse(body: Buffer): unknown {
    const startedAt = performance.now();
    const value = parseBody(body);
    const endedAt = performance.now();
    // A JSON string has quotes, so a string equal to the body is not JSON.
    const failure = typeof value === 'string' && value === textOf(body) ? { failure: 'It is not JSON.' } : {};
    this.#add(startedAt, () => ({ kind: 'parse', ...this.#times(startedAt, endedAt), ...failure }));
    return value;
  }

  /** Records a completed call. */
  record(call: TracedCall): void {
    const { sentAt, endedAt = call.startedAt } = call.times;
    // A request that was never sent failed with its connection, whose steps precede it.
    const startedAt = sentAt ?? endedAt;
    this.#add(startedAt, () => this.#describeCall(call, startedAt, endedAt));
  }

  #add(startedAt: number, describe: () => TraceStep): void {
    if (this.#steps.length < maxSteps) this.#steps.push({ startedAt, describe });
  }

  #times(startedAt: number, endedAt: number) {
    const round = (ms: number) => Math.round(ms * 10) / 10;
    return { startedMs: round(startedAt - this.#startedAt), durationMs: round(endedAt - startedAt) };
  }

  #shownBody(body: Buffer, bytes: number, redactor: SecretRedactor): ShownBody {
    const room = Math.min(maxBodyBytes, this.#bytesLeft);
    this.#bytesLeft -= Math.min(body.length, room);
    const text = startOf(body, room, redactor);
    return { text, bytes, isWhole: bytes <= room && body.length === bytes };
  }

  #describeCall(
    { sent, result, error, redactor, times: { answeredAt } }: TracedCall,
    startedAt: number,
    endedAt: number,
  ): TraceStep {
    const { method, url, body } = sent;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    return {
      kind: 'request',
      ...this.#times(startedAt, endedAt),
      method,
      url: redactor.redact(redactUrl(url.href)),
      headers: shownRequestHeaders(sent),
      ...(bytes ? { body: this.#shownBody(bytes, bytes.length, redactor) } : {}),
      ...(answeredAt === undefined
        ? {}
        : { answeredAfterMs: this.#times(this.#startedAt, answeredAt).durationMs }),
      ...(result.status === undefined
        ? {}
        : {
            answer: {
              status: result.status,
              headers: shownAnswerHeaders(result, redactor),
              body: this.#shownBody(result.body, result.bodyBytes, redactor),
            },
          }),
      ...(error ? { failure: redactor.redact(error.message) } : {}),
    };
  }
}
