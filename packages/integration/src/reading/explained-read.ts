import { isBookingSystemError, type Warning } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import type { CallTrace, Outbound } from '@waiver-service/outbound';
import type { PoolSetup } from '@waiver-service/store';
import type { BookingReading } from './booking-reader.ts';
import type { BookingSource, BookingSources } from './booking-sources.ts';
import { describeRead, type ReadOutcome, type ReadStep } from './describe-read.ts';
import { ReadHeldBack } from './read-breaker.ts';

/** The result of a read, and its course. */
export interface ExplainedRead<Result> {
  readonly result: { readonly value: Result } | { readonly error: unknown };
  readonly steps: readonly ReadStep[];
}

interface ExplainedReadOptions<Result> {
  readonly sources: Pick<BookingSources, 'sourceFor' | 'requireConfigured'>;
  readonly outbound: Pick<Outbound, 'openTrace'>;
  readonly setup: PoolSetup;
  readonly bookingSystem: string | undefined;
  readonly signal: AbortSignal;
  readonly read: (source: BookingSource, trace: CallTrace) => Promise<Result>;
}

const round = (ms: number) => Math.round(ms * 10) / 10;

const sourceMessage = ({ connection: { plugin, pool } }: BookingSource) =>
  `${plugin.displayName} (plugin ${plugin.installName}) is installed for the pool ${pool}.`;

function addressMessage(source: BookingSource, trace: CallTrace): string {
  const request = trace.steps().find(({ kind }) => kind === 'request');
  const { environment } = source.connection.installation;
  const where = environment ? ` (${environment} environment)` : '';
  const address = request?.kind === 'request' ? URL.parse(request.url)?.origin : undefined;
  return address === undefined
    ? `Settings and base address are complete${where}.`
    : `Requests go to ${address}${where}.`;
}

function outcomeOf(result: ExplainedRead<BookingReading | CheckedAccount>['result']): ReadOutcome {
  if ('error' in result) return { error: result.error };
  const { value } = result;
  if (!('fetched' in value)) return { checked: value };
  if (!value.stale) return { fetched: value.fetched };
  const { failure } = value;
  return { error: failure instanceof ReadHeldBack ? failure.lastError : failure };
}

interface CheckedAccount {
  readonly warnings: readonly Warning[];
}

/**
 * Reads a booking, or checks an account, over separate connections, and reports each step: its result and how long it
 * took. Stores nothing. Rejects with errors that neither a person nor the booking system can fix.
 */
export async function explainRead<Result extends BookingReading | CheckedAccount>({
  sources,
  outbound,
  setup,
  bookingSystem,
  signal,
  read,
}: ExplainedReadOptions<Result>): Promise<ExplainedRead<Result>> {
  const trace = outbound.openTrace();
  const startedAt = performance.now();
  const sinceStart = () => round(performance.now() - startedAt);
  const before: ReadStep[] = [];
  let source: BookingSource | undefined;

  async function prepareAndRead(): Promise<Result> {
    source = await sources.sourceFor(setup, bookingSystem);
    before.push({
      step: 'resolve',
      state: 'done',
      startedMs: 0,
      durationMs: sinceStart(),
      message: sourceMessage(source),
    });
    const preparedMs = sinceStart();
    sources.requireConfigured(source, signal);
    before.push({
      step: 'address',
      state: 'done',
      startedMs: preparedMs,
      durationMs: round(sinceStart() - preparedMs),
      message: '',
    });
    return read(source, trace);
  }

  const result = await prepareAndRead()
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error: requireExplainable(error) }),
    )
    .finally(() => trace.close());
  const steps = before.map((step) =>
    step.step === 'address' && source ? { ...step, message: addressMessage(source, trace) } : step,
  );
  // A failure before the first request belongs to the first step that was not completed.
  const undone = (['resolve', 'address'] as const)[steps.length];
  if (undone !== undefined) steps.push({ step: undone, state: 'done', message: '' });
  const outcome = outcomeOf(result);
  const { endedMs } = trace;
  return { result, steps: describeRead({ before: steps, trace: trace.steps(), outcome, endedMs }) };
}

/** Errors that a person or the booking system can fix; others are thrown. */
function requireExplainable(error: unknown): unknown {
  const isFixable = error instanceof HttpProblem && (error.status === 409 || error.status === 424);
  if (isFixable || isBookingSystemError(error) || error instanceof ReadHeldBack) return error;
  throw error;
}
