import {
  type BookingSystemContext,
  type BookingSystemHttp,
  type BookingSystemPlugin,
  type BookingSystemRequest,
  type BookingSystemResponse,
  bookingSchema,
  type FetchedBooking,
  type InstalledAccount,
  warningCodes,
} from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';
import { recordingPool } from './scrub.ts';
import { pluginUseSchema, usePlugin } from './uses.ts';

const exchangeSchema = z.object({
  request: z.object({
    method: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string().optional()).optional(),
    body: z.unknown().optional(),
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
  /** Further uses of the plugin, with their exchanges; `expected` is what comes of each when it is replayed. */
  uses: z
    .array(
      z.object({
        use: pluginUseSchema,
        exchanges: z.array(exchangeSchema),
        expected: z.unknown().optional(),
      }),
    )
    .default([]),
});

/** A request and its response, without personal data. */
export type RecordedExchange = z.infer<typeof exchangeSchema>;

/** A fixture with the responses of a live read, and the booking to expect of it. */
export type Recording = z.infer<typeof recordingSchema>;

/** Reads the text of a recording's file. @throws ZodError if it is none */
export const parseRecording = (text: string): Recording => recordingSchema.parse(JSON.parse(text));

const sameRequest = (method: string, path: string, params: BookingSystemRequest['params'] = {}) =>
  JSON.stringify([
    method,
    path,
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);

/**
 * A client that gives each request its recorded response; of several responses to equal requests, each once, in their
 * order. A request's body is not compared: it has the time of the call.
 *
 * @param isInOrder - whether a request unlike any recorded one gets the next response to its method, since the numbers and
 * times in queries are replaced, too
 */
function recordedHttp(exchanges: readonly RecordedExchange[], isInOrder: boolean): BookingSystemHttp {
  const remaining = exchanges.map(({ request, answer }) => ({
    method: request.method,
    request: sameRequest(request.method, request.path, request.query),
    answer,
  }));
  async function answerTo(
    method: string,
    path: string,
    params: BookingSystemRequest['params'],
  ): Promise<BookingSystemResponse> {
    const request = sameRequest(method, path, params);
    const same = remaining.findIndex((one) => one.request === request);
    const index = same === -1 && isInOrder ? remaining.findIndex((one) => one.method === method) : same;
    const [recorded] = index === -1 ? [] : remaining.splice(index, 1);
    if (recorded === undefined) throw new Error(`the recording has no answer to ${method} ${path}`);
    const { status, body: data } = recorded.answer;
    return { status, headers: {}, data };
  }
  return {
    get: (path, request) => answerTo('GET', path, request?.params),
    delete: (path, request) => answerTo('DELETE', path, request?.params),
    post: (path, _body, request) => answerTo('POST', path, request?.params),
    put: (path, _body, request) => answerTo('PUT', path, request?.params),
    patch: (path, _body, request) => answerTo('PATCH', path, request?.params),
  };
}

const contextOf = (
  { settings, account }: Recording,
  exchanges: readonly RecordedExchange[],
  isInOrder: boolean,
): BookingSystemContext<unknown, InstalledAccount> => ({
  pool: recordingPool,
  installation: crypto.randomUUID(),
  http: recordedHttp(exchanges, isInOrder),
  settings,
  account,
  secrets: { redact: String, redactData: String },
  signal: new AbortController().signal,
});

/**
 * Reads the recorded booking through its plugin.
 *
 * @throws Error for a request that was not recorded; whatever the plugin throws
 */
export const readRecording = (
  plugin: Pick<BookingSystemPlugin<unknown, InstalledAccount>, 'fetchBooking'>,
  recording: Recording,
): Promise<FetchedBooking> =>
  plugin.fetchBooking(contextOf(recording, recording.exchanges, false), recording.bookingId);

/**
 * Makes the further uses of the recording through its plugin, and returns what came of each: to compare with each
 * `expected`. One without `expected`, because it could not be replayed when it was recorded, is left out.
 *
 * @throws Error for a request that was not recorded; whatever the plugin throws, apart from core's errors
 */
export async function replayUses(
  plugin: BookingSystemPlugin<unknown, InstalledAccount>,
  recording: Recording,
): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const { use, exchanges, expected } of recording.uses) {
    const isReplayed = expected !== undefined;
    results.push(
      isReplayed ? await usePlugin(plugin, contextOf(recording, exchanges, true), use) : undefined,
    );
  }
  return results;
}
