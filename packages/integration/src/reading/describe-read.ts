import type { readStepNames, readStepSchema } from '@waiver-service/api';
import {
  type FetchedBooking,
  isBookingSystemError,
  isInvalidBookingResponse,
  type OutboundErrorCode,
  type Warning,
} from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import type { ShownBody, ShownHeader, TraceStep } from '@waiver-service/outbound';
import type { z } from 'zod';

/** See {@link readStepSchema}. */
export type ReadStep = z.infer<typeof readStepSchema>;

const headersAnswer = (headers: readonly ShownHeader[]) => headers.map((header) => ({ ...header }));
const bodyAnswer = (body: ShownBody) => ({ ...body });

const askVendor = 'If it stays so, tell the vendor the address and the time.';

const byOutboundCode: Readonly<Partial<Record<OutboundErrorCode, string>>> = {
  dns_error:
    'Look for a typing error in the base address. If it is right, the name is missing in the DNS that this host uses: ask its operator, or the vendor.',
  blocked_address:
    'Private and reserved addresses are not called. If the booking system really is in your own network, put its address into OUTBOUND_ALLOW and start the host again.',
  connection_refused: `Nothing takes connections at that address and port. Check both; if they are right, the server is down or a firewall turns this host away. ${askVendor}`,
  connection_reset: `The server closed the connection before it had answered. Try again. ${askVendor}`,
  tls_error:
    'The vendor has to put its certificate in order. Only if it is a server of your own, trust its certificate with NODE_EXTRA_CA_CERTS. If the address has https but the server speaks plain http, correct the address.',
  timeout: `Try again. If there was no connection at all, ask the vendor whether this host’s address has to be allowed in its firewall; if there was, its server is slow. ${askVendor}`,
  redirect: 'Set the base address that it redirects to: redirects are not followed.',
  response_too_large: 'Ask the vendor for an answer with only this booking.',
};

const byErrorCode: Readonly<Record<string, string>> = {
  booking_not_found:
    'Look the booking up in the booking system’s own back office: the id there is the one to ask for. If it is there, the base address or the account is not the right one.',
  booking_system_auth_rejected:
    'The key is wrong, was replaced, or may not read bookings. Take the key from the account in the booking system and install it again; for one that is authorized in a browser, renew that on the pool’s page.',
  booking_system_rate_limited:
    'The booking system asked for fewer requests, or its limit is used up. Wait the time that it says, then try again.',
  booking_system_not_configured:
    'Complete the settings on the page of the booking system. What belongs to the account is given by installing it again.',
  not_installed:
    'Install it from its own dashboard, with an install key and the id of the pool, or by hand. One that waits for approval is approved on the pool’s page.',
  booking_system_ambiguous: 'Name one of the installed booking systems.',
};

const unusable = {
  parse:
    'An answer that is not JSON is mostly a log-in page or an error page: check the base address. If it is right, the vendor has to answer with JSON.',
  form: 'The answer is JSON, but no booking in a form that the plugin knows. Check the base address and the version of the API in it, and compare the answer below with the vendor’s documentation.',
  normalize:
    'The answer looks like a booking, but lacks what one needs. Send the vendor the fields that are named here, with the answer below.',
};

/** Advice on a failed read, for the person who sets up an installation. */
function adviceFor(error: unknown, step: string): string | undefined {
  if (error instanceof HttpProblem) return byErrorCode[error.code];
  if (!isBookingSystemError(error)) return undefined;
  if (error.code === 'invalid_booking_response' && error.outboundErrorCode === undefined) {
    return step === 'parse' || step === 'form' ? unusable[step] : unusable.normalize;
  }
  const code = error.outboundErrorCode;
  return byErrorCode[error.code] ?? (code && byOutboundCode[code]) ?? `Try again. ${askVendor}`;
}

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
