import {
  type BookingSystemPlugin,
  type BookingSystemRequest,
  type BookingSystemResponse,
  bookingSchema,
  type FetchedBooking,
  warningCodes,
} from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const exchangeSchema = z.object({
  request: z.object({
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string().optional()).optional(),
  }),
  answer: z.object({ status: z.int(), body: z.unknown().optional() }),
});

const recordingSchema = z.object({
  bookingSystem: z.string(),
  /** Replaced, like the settings and the account: with these, the plugin makes the recorded requests again. */
  bookingId: z.string(),
  settings: z.unknown(),
  account: installedAccountSchema,
  exchanges: z.array(exchangeSchema),
  /** Counts of the values that the plugin read from the live responses, or the error's code. */
  read: z.union([
    z.object({
      status: z.string(),
      pax: z.number(),
      guests: z.number(),
      guestsWithName: z.number(),
      sessions: z.number(),
      warnings: z.array(z.enum(warningCodes)),
    }),
    z.object({ error: z.string() }),
  ]),
  /** The booking that the plugin reads from the recording: for a person to review, and for a test to compare. */
  expected: z.object({ booking: bookingSchema, warnings: z.array(z.enum(warningCodes)) }).optional(),
});

/** A request and its response, without personal data. */
export type RecordedExchange = z.infer<typeof exchangeSchema>;

/** A fixture with the responses of a live read, and the booking to expect of it. */
export type Recording = z.infer<typeof recordingSchema>;

/** Reads the text of a recording's file. @throws ZodError if it is none */
export const parseRecording = (text: string): Recording => recordingSchema.parse(JSON.parse(text));

/** The pool that a recorded request may name. */
export const recordingPool = 'waiver-service-check';

const sameRequest = (method: string, path: string, params: BookingSystemRequest['params'] = {}) =>
  JSON.stringify([
    method,
    path,
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);

/**
 * Reads the recorded booking through its plugin. Each request gets the recorded response; of several responses to equal
 * requests, each is given once, in their order.
 *
 * @throws Error for a request that was not recorded; whatever the plugin throws
 */
export function readRecording(
  plugin: Pick<BookingSystemPlugin, 'fetchBooking'>,
  { bookingId, settings, account, exchanges }: Recording,
): Promise<FetchedBooking> {
  const remaining = exchanges.map(({ request, answer }) => ({
    request: sameRequest(request.method, request.path, request.query),
    answer,
  }));
  async function answerTo(
    method: string,
    path: string,
    params: BookingSystemRequest['params'],
  ): Promise<BookingSystemResponse> {
    const request = sameRequest(method, path, params);
    const index = remaining.findIndex((one) => one.request === request);
    const [recorded] = index === -1 ? [] : remaining.splice(index, 1);
    if (recorded === undefined) throw new Error(`the recording has no answer to ${method} ${path}`);
    const { status, body: data } = recorded.answer;
    return { status, headers: {}, data };
  }
  const http = {
    get: (path: string, request?: BookingSystemRequest) => answerTo('GET', path, request?.params),
    delete: (path: string, request?: BookingSystemRequest) => answerTo('DELETE', path, request?.params),
    post: (path: string, _body?: unknown, request?: BookingSystemRequest) =>
      answerTo('POST', path, request?.params),
    put: (path: string, _body?: unknown, request?: BookingSystemRequest) =>
      answerTo('PUT', path, request?.params),
    patch: (path: string, _body?: unknown, request?: BookingSystemRequest) =>
      answerTo('PATCH', path, request?.params),
  };
  const context = {
    pool: recordingPool,
    installation: crypto.randomUUID(),
    http,
    settings,
    account,
    secrets: { redact: String, redactData: String },
    signal: new AbortController().signal,
  };
  return plugin.fetchBooking(context, bookingId);
}
