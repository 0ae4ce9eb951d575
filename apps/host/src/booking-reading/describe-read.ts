import type { readStepNames } from '@waiver-service/api';
import {
  type FetchedBooking,
  isBookingSystemError,
  isInvalidBookingResponse,
  type Warning,
} from '@waiver-service/core';
import type { TraceStep } from '@waiver-service/outbound';
import { adviceFor } from './read-advice.ts';
import { bodyAnswer, headersAnswer, type ReadStep } from './read-step.ts';

type StepName = (typeof readStepNames)[number];

/** The booking that was read, the account that was checked, or the error. */
export type ReadOutcome =
  | { readonly fetched: FetchedBooking }
  | { readonly checked: { readonly warnings: readonly Warning[] } }
  | { readonly error: unknown };

/** The course of a read. */
export interface ReadCourse {
  /** The steps before the requests. */
  readonly before: readonly ReadStep[];
  readonly trace: readonly TraceStep[];
  readonly outcome: ReadOutcome;
  /** Milliseconds since the start. */
  readonly endedMs: number;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function sizeText(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}

function traceMessage(step: TraceStep): string {
  switch (step.kind) {
    case 'turn':
      return step.failure ?? 'There was room within the booking system’s rate limits.';
    case 'session':
      return step.failure ?? 'There is a token for the request.';
    case 'dns':
      return step.failure ?? `${step.host} is ${step.addresses?.join(', ')}.`;
    case 'connect':
      return step.failure ?? `${step.address}, port ${step.port}, took the connection.`;
    case 'tls': {
      if (step.failure !== undefined) return step.failure;
      const until = step.certificateUntil?.slice(0, 10);
      return [step.protocol, step.issuer && `certificate of ${step.issuer}`, until && `valid until ${until}`]
        .filter(Boolean)
        .join(', ');
    }
    case 'request':
      return step.answer
        ? `${step.method} was answered ${step.answer.status}, ${sizeText(step.answer.body.bytes)}.`
        : (step.failure ?? '');
    case 'parse':
      return step.failure ?? 'It is JSON.';
  }
}

function exchangeOf(step: TraceStep): ReadStep['exchange'] {
  if (step.kind !== 'request') return undefined;
  const { method, url, headers, body, answeredAfterMs, answer } = step;
  return {
    method,
    url,
    requestHeaders: headersAnswer(headers),
    ...(body ? { requestBody: bodyAnswer(body) } : {}),
    ...(answeredAfterMs === undefined ? {} : { answeredAfterMs }),
    ...(answer
      ? {
          status: answer.status,
          answerHeaders: headersAnswer(answer.headers),
          answer: bodyAnswer(answer.body),
        }
      : {}),
  };
}

const withoutAnswer = (step: TraceStep) => step.kind === 'request' && step.answer === undefined;

function traceSteps(trace: readonly TraceStep[]): ReadStep[] {
  return trace.flatMap((step, place) => {
    // The failed connection, already listed as a step, was the cause.
    if (withoutAnswer(step) && trace[place - 1]?.failure !== undefined) return [];
    const exchange = exchangeOf(step);
    const { kind, startedMs, durationMs } = step;
    return [
      {
        step: kind,
        state: 'done' as const,
        startedMs,
        durationMs,
        message: traceMessage(step),
        ...(exchange ? { exchange } : {}),
      },
    ];
  });
}

const isUnreadable = (error: unknown) =>
  isBookingSystemError(error) &&
  error.code === 'invalid_booking_response' &&
  error.outboundErrorCode === undefined;

/** The index of the failed step; -1 if all requests succeeded, even if the answer was not a booking. */
function failedPlace({ trace, outcome }: ReadCourse, steps: readonly ReadStep[]): number {
  if (!('error' in outcome)) return -1;
  if (!isUnreadable(outcome.error)) return steps.findLastIndex(({ step }) => step !== 'parse');
  const isJson = trace.findLast(({ kind }) => kind === 'parse')?.failure === undefined;
  return isJson ? -1 : steps.findLastIndex(({ step }) => step === 'parse');
}

const skipped = (step: StepName): ReadStep => ({ step, state: 'skipped', message: 'Not reached.' });

const formMessages = {
  current: 'The contract’s current form: it has bookedSessions.',
  legacy: 'The contract’s legacy form: it has activities or startsAt.',
  native: 'The booking system’s own form, which its plugin knows.',
};

const warningsMessage = (warnings: readonly Warning[]) =>
  warnings.length === 0
    ? 'Nothing had to be tolerated.'
    : warnings.length === 1
      ? 'One deviation was tolerated.'
      : `${warnings.length} deviations were tolerated.`;

/** The steps after the last request. */
function readingSteps({ trace, outcome, endedMs }: ReadCourse): ReadStep[] {
  const last = trace.at(-1);
  const startedMs = last ? last.startedMs + last.durationMs : 0;
  const time = { startedMs, durationMs: Math.max(0, Math.round((endedMs - startedMs) * 10) / 10) };
  if ('checked' in outcome) {
    const { warnings } = outcome.checked;
    return [{ step: 'warnings', state: 'done', message: warningsMessage(warnings) }];
  }
  if ('fetched' in outcome) {
    const { form, booking, warnings } = outcome.fetched;
    const sessions = booking.bookedSessions.length;
    return [
      { step: 'form', state: 'done', message: formMessages[form] },
      {
        step: 'normalize',
        state: 'done',
        ...time,
        message: `A booking of ${booking.pax} with ${booking.guests.length} named guests and ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`,
      },
      { step: 'warnings', state: 'done', message: warningsMessage(warnings) },
    ];
  }
  const { error } = outcome;
  // No issue names a field: the answer as a whole is not a booking.
  const step = isInvalidBookingResponse(error) && error.issues.length > 0 ? 'normalize' : 'form';
  const failed = failedStep({ step, state: 'done', message: '' }, error);
  const form = { step: 'form' as const, state: 'done' as const, message: 'It looks like a booking.' };
  return step === 'form'
    ? [failed, skipped('normalize'), skipped('warnings')]
    : [form, { ...failed, ...time }, skipped('warnings')];
}

function failedStep(step: ReadStep, error: unknown): ReadStep {
  const advice = adviceFor(error, step.step);
  return { ...step, state: 'failed', message: messageOf(error), ...(advice ? { advice } : {}) };
}

/** Describes how a booking was read, step by step; if the read failed, also at which step and what to do. */
export function describeRead(course: ReadCourse): ReadStep[] {
  const { before, trace, outcome } = course;
  const steps = [...before, ...traceSteps(trace)];
  const place = failedPlace(course, steps);
  if (place === -1 || !('error' in outcome)) return [...steps, ...readingSteps(course)];
  const isSent = steps.some(({ step }) => step === 'request');
  const rest: readonly StepName[] = ['parse', 'form', 'normalize', 'warnings'];
  const missing = rest.filter((name) => name !== 'parse' || !steps.some(({ step }) => step === name));
  return [
    ...steps.map((step, index) => (index === place ? failedStep(step, outcome.error) : step)),
    ...(isSent ? [] : [skipped('request')]),
    ...missing.map(skipped),
  ];
}
