import { createSecretKey, randomBytes } from 'node:crypto';
import {
  type BookingSystemContext,
  type BookingSystemHttp,
  type BookingSystemPlugin,
  type BookingSystemRequest,
  type BookingSystemResponse,
  type InstalledAccount,
  isBookingSystemError,
} from '@waiver-service/core';
import type { Outbound } from '@waiver-service/outbound';
import { createBookingSystemContext, installedAccountSchema } from '@waiver-service/plugin-kit';
import { PersonalWords } from './personal-words.ts';
import { type RecordedExchange, type Recording, readRecording, recordingPool } from './read-recording.ts';
import { Scrubber } from './scrub.ts';

/** The read to record. */
export interface RecordRequest {
  readonly plugin: BookingSystemPlugin<unknown, InstalledAccount>;
  /** `null` for the vendor's public address. */
  readonly baseUrl: string | null;
  readonly environment?: 'live' | 'test' | undefined;
  readonly settings: unknown;
  readonly account: unknown;
  readonly bookingId: string;
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly params: BookingSystemRequest['params'];
  readonly response: BookingSystemResponse;
}

/** A client that records its exchanges, without headers, which contain credentials. */
function keepingExchanges(http: BookingSystemHttp, exchanges: Exchange[]): BookingSystemHttp {
  async function kept(
    method: string,
    path: string,
    request: BookingSystemRequest | undefined,
    answering: Promise<BookingSystemResponse>,
  ): Promise<BookingSystemResponse> {
    const response = await answering;
    exchanges.push({ method, path, params: request?.params, response });
    return response;
  }
  return {
    get: (path, request) => kept('GET', path, request, http.get(path, request)),
    delete: (path, request) => kept('DELETE', path, request, http.delete(path, request)),
    post: (path, body, request) => kept('POST', path, request, http.post(path, body, request)),
    put: (path, body, request) => kept('PUT', path, request, http.put(path, body, request)),
    patch: (path, body, request) => kept('PATCH', path, request, http.patch(path, body, request)),
  };
}

async function readBooking(
  plugin: RecordRequest['plugin'],
  context: BookingSystemContext<unknown, InstalledAccount>,
  bookingId: string,
): Promise<Recording['read']> {
  try {
    const { booking, warnings } = await plugin.fetchBooking(context, bookingId);
    return {
      status: booking.statusGroup ?? 'none',
      pax: booking.pax,
      guests: booking.guests.length,
      guestsWithName: booking.guests.filter(({ name }) => name !== undefined).length,
      sessions: booking.bookedSessions.length,
      warnings: warnings.map(({ code }) => code),
    };
  } catch (error) {
    if (isBookingSystemError(error)) return { error: error.code };
    throw error;
  }
}

function scrubbed(exchanges: readonly Exchange[], scrubber: Scrubber): RecordedExchange[] {
  for (const { path } of exchanges) scrubber.addPath(path);
  const bodies = scrubber.bodies(exchanges.map(({ response }) => response.data));
  return exchanges.map(({ method, path, params, response }, index) => ({
    request: {
      method,
      path: scrubber.path(path),
      ...(params && { query: scrubber.query(params) }),
    },
    answer: { status: response.status, body: bodies[index] },
  }));
}

// By chance, a replacement may itself be a word that must be replaced.
const maxAttempts = 10;
// A setting such as `live`.
const plainSetting = /^\p{L}{1,5}$/u;

/** Every text in a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => [name, ...textsIn(inside)]);
}

/** What the plugin reads from a recording; undefined if it fails, or makes other requests than were recorded. */
async function expectedOf(
  plugin: RecordRequest['plugin'],
  recording: Recording,
): Promise<Recording['expected']> {
  try {
    const { booking, warnings } = await readRecording(plugin, recording);
    return { booking, warnings: warnings.map(({ code }) => code) };
  } catch {
    return undefined;
  }
}

/**
 * Reads a booking through its plugin and returns the responses with every name, address, number, id and key replaced
 * with one of the same shape, and equal texts with equal ones, in paths and queries, too. Only what is known to be
 * harmless stays: field names, words such as `adult`, statuses, times from three years ago to five years ahead, time
 * zones, and numbers below 100 that are no ids.
 *
 * @throws Error if a word that must be replaced remains
 */
export async function recordRead(
  { plugin, baseUrl, environment, settings, account, bookingId }: RecordRequest,
  {
    outbound,
    signal = new AbortController().signal,
  }: { readonly outbound: Outbound; readonly signal?: AbortSignal },
): Promise<Recording> {
  const context = createBookingSystemContext({
    plugin,
    outbound,
    baseUrl,
    pool: recordingPool,
    settings,
    account,
    purpose: 'read',
    signal,
    ...(environment && { environment }),
  });
  const exchanges: Exchange[] = [];
  const http = keepingExchanges(context.http, exchanges);
  const read = await readBooking(plugin, { ...context, http }, bookingId);

  const ownSettings = Object.values(Object(context.settings)).filter(
    (value): value is string => typeof value === 'string' && !plainSetting.test(value),
  );
  const own = [bookingId, ...ownSettings, ...Object.values(context.account).flatMap(textsIn)];
  const statuses = new Set(Object.keys(plugin.statusMap ?? {}));
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const scrubber = new Scrubber(new PersonalWords(createSecretKey(randomBytes(32))), { statuses, own });
    scrubber.addPersonal(bookingId);
    const recorded = scrubbed(exchanges, scrubber);
    if (!textsIn(recorded).every((text) => scrubber.isClean(text))) continue;
    const recording: Recording = {
      bookingSystem: plugin.installName,
      bookingId: scrubber.text(bookingId),
      settings: scrubber.fields(context.settings),
      account: installedAccountSchema.parse(scrubber.fields(context.account)),
      exchanges: recorded,
      read,
    };
    const expected = await expectedOf(plugin, recording);
    return expected ? { ...recording, expected } : recording;
  }
  throw new Error('personal words could not be replaced: record another booking');
}
