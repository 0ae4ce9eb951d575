import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
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
import { type RecordedExchange, type Recording, readRecording, replayUses } from './read-recording.ts';
import { recordedWaiverId, recordingPool, Scrubber } from './scrub.ts';
import { isUsable, type PluginUse, pluginUseSchema, usePlugin } from './uses.ts';

/** What to record. */
export interface RecordRequest {
  readonly plugin: BookingSystemPlugin<unknown, InstalledAccount>;
  /** `null` for the vendor's public address. */
  readonly baseUrl: string | null;
  readonly environment?: 'live' | 'test' | undefined;
  readonly settings: unknown;
  readonly account: unknown;
  readonly bookingId: string;
  /** The period whose bookings are listed, and the time since which changes are requested. */
  readonly period?: { readonly from: string; readonly until: string } | undefined;
  readonly changesSince?: string | undefined;
  /**
   * Whether a waiver is written and voided, and a webhook registered and removed: the booking must be one meant for
   * tests.
   */
  readonly write?: boolean | undefined;
  /** Bodies of the vendor's calls. */
  readonly calls?: readonly unknown[] | undefined;
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly params: BookingSystemRequest['params'];
  readonly body?: unknown;
  readonly response: BookingSystemResponse;
}

/** A client that records its exchanges, without headers, which contain credentials. */
function keepingExchanges(http: BookingSystemHttp, exchanges: Exchange[]): BookingSystemHttp {
  async function kept(
    method: string,
    path: string,
    { request, body }: { readonly request: BookingSystemRequest | undefined; readonly body?: unknown },
    answering: Promise<BookingSystemResponse>,
  ): Promise<BookingSystemResponse> {
    const response = await answering;
    exchanges.push({ method, path, params: request?.params, body, response });
    return response;
  }
  return {
    get: (path, request) => kept('GET', path, { request }, http.get(path, request)),
    delete: (path, request) => kept('DELETE', path, { request }, http.delete(path, request)),
    post: (path, body, request) => kept('POST', path, { request, body }, http.post(path, body, request)),
    put: (path, body, request) => kept('PUT', path, { request, body }, http.put(path, body, request)),
    patch: (path, body, request) => kept('PATCH', path, { request, body }, http.patch(path, body, request)),
  };
}

interface LiveRead {
  readonly read: Recording['read'];
  /** A guest for the waiver that is written. */
  readonly guestId?: string | undefined;
}

async function readBooking(
  plugin: RecordRequest['plugin'],
  context: BookingSystemContext<unknown, InstalledAccount>,
  bookingId: string,
): Promise<LiveRead> {
  try {
    const { booking, warnings } = await plugin.fetchBooking(context, bookingId);
    const read = {
      status: booking.statusGroup ?? 'none',
      pax: booking.pax,
      guests: booking.guests.length,
      guestsWithName: booking.guests.filter(({ name }) => name !== undefined).length,
      sessions: booking.bookedSessions.length,
      warnings: warnings.map(({ code }) => code),
    };
    return { read, guestId: booking.guests.find(({ id }) => id !== undefined)?.id };
  } catch (error) {
    if (isBookingSystemError(error)) return { read: { error: error.code } };
    throw error;
  }
}

/** The uses of a plugin that were asked for, and that it has functions for. */
function requestedUses(request: RecordRequest, guestId: string | undefined): PluginUse[] {
  const { plugin, bookingId, period, changesSince, write = false, calls = [] } = request;
  const now = new Date().toISOString();
  const waiver = {
    id: recordedWaiverId,
    pool: recordingPool,
    bookingId,
    ...(guestId !== undefined && { bookingGuestId: guestId }),
    lastVisit: now,
    updatedAt: now,
  };
  const uses: readonly (PluginUse | undefined | false)[] = [
    period && { kind: 'list', ...period, limit: 10 },
    changesSince !== undefined && { kind: 'changes', since: changesSince, now },
    write && { kind: 'write', waiver: { ...waiver, deleted: false } },
    write && { kind: 'write', waiver: { ...waiver, deleted: true } },
    write && { kind: 'webhooks', url: `https://waivers.example/webhook?key=${randomUUID()}` },
    ...calls.map((body): PluginUse => ({ kind: 'call', body })),
  ];
  return uses.filter((use) => use !== undefined && use !== false).filter((use) => isUsable(plugin, use));
}

/** A read, or another use of the plugin, with its exchanges. */
interface LiveUse {
  readonly use?: PluginUse;
  readonly exchanges: readonly Exchange[];
}

/** All exchanges with personal words replaced, use by use, and what each use was given. */
function scrubbed(live: readonly LiveUse[], scrubber: Scrubber) {
  const exchanges = live.flatMap((each) => each.exchanges);
  for (const { path } of exchanges) scrubber.addPath(path);
  for (const [first] of live.map((each) => each.exchanges)) if (first) scrubber.addFirstPath(first.path);
  const calls = live.map(({ use }) => (use?.kind === 'call' ? use.body : undefined));
  const [answers, sent, called] = scrubber.groups([
    exchanges.map(({ response }) => response.data),
    exchanges.map(({ body }) => body),
    calls,
  ]);
  const all = exchanges.map(
    ({ method, path, params, body, response }, index): RecordedExchange => ({
      request: {
        method,
        path: scrubber.path(path),
        ...(params && { query: scrubber.query(params) }),
        ...(body !== undefined && { body: sent?.[index] }),
      },
      answer: { status: response.status, body: answers?.[index] },
    }),
  );
  return live.map(({ use, exchanges: own }, index) => ({
    use: use && scrubbedUse(use, scrubber, called?.[index]),
    exchanges: all.splice(0, own.length),
  }));
}

function scrubbedUse(use: PluginUse, scrubber: Scrubber, call: unknown): PluginUse {
  if (use.kind === 'call') return { ...use, body: call };
  if (use.kind === 'webhooks') return { ...use, url: scrubber.text(use.url) };
  if (use.kind !== 'write') return use;
  const { bookingId, bookingGuestId } = use.waiver;
  const waiver = {
    ...use.waiver,
    bookingId: scrubber.text(bookingId),
    ...(bookingGuestId !== undefined && { bookingGuestId: scrubber.text(bookingGuestId) }),
  };
  return { ...use, waiver };
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

/** A use with what comes of it when it is replayed, if it can be. */
async function withExpected(
  plugin: RecordRequest['plugin'],
  recording: Recording,
  { use, exchanges }: Pick<Recording['uses'][number], 'use' | 'exchanges'>,
): Promise<Recording['uses'][number]> {
  try {
    // Any value but undefined has it replayed.
    const [expected] = await replayUses(plugin, { ...recording, uses: [{ use, exchanges, expected: null }] });
    return { use, exchanges, expected };
  } catch {
    return { use, exchanges };
  }
}

/**
 * Reads a booking through its plugin, and uses it in the other ways that were asked for. Returns the exchanges with every
 * name, address, number, id and key replaced with one of the same shape, and equal texts with equal ones, in paths and
 * queries, too. Only what is known to be harmless stays: field names, words such as `adult`, statuses, times from three
 * years ago to five years ahead, time zones, and numbers below 100 that are no ids.
 *
 * @throws Error if a word that must be replaced remains
 */
export async function recordRead(
  request: RecordRequest,
  {
    outbound,
    signal = new AbortController().signal,
  }: { readonly outbound: Outbound; readonly signal?: AbortSignal },
): Promise<Recording> {
  const { plugin, baseUrl, environment, settings, account, bookingId } = request;
  const contextFor = (purpose: 'read' | 'guest-update', exchanges: Exchange[]) => {
    const context = createBookingSystemContext({
      plugin,
      outbound,
      baseUrl,
      pool: recordingPool,
      settings,
      account,
      purpose,
      signal,
      ...(environment && { environment }),
    });
    return { ...context, http: keepingExchanges(context.http, exchanges) };
  };
  const exchanges: Exchange[] = [];
  const context = contextFor('read', exchanges);
  const { read, guestId } = await readBooking(plugin, context, bookingId);
  const live: LiveUse[] = [{ exchanges }];
  for (const use of requestedUses(request, guestId)) {
    const own: Exchange[] = [];
    await usePlugin(plugin, contextFor(use.kind === 'write' ? 'guest-update' : 'read', own), use);
    live.push({ use, exchanges: own });
  }

  const ownSettings = Object.values(Object(context.settings)).filter(
    (value): value is string => typeof value === 'string' && !plainSetting.test(value),
  );
  const own = [bookingId, ...ownSettings, ...Object.values(context.account).flatMap(textsIn)];
  const statuses = new Set(Object.keys(plugin.statusMap ?? {}));
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const scrubber = new Scrubber(new PersonalWords(createSecretKey(randomBytes(32))), { statuses, own });
    scrubber.addPersonal(bookingId);
    const [ofRead, ...further] = scrubbed(live, scrubber);
    if (!textsIn([ofRead, further]).every((text) => scrubber.isClean(text))) continue;
    const recording: Recording = {
      bookingSystem: plugin.installName,
      bookingId: scrubber.text(bookingId),
      settings: scrubber.fields(context.settings),
      account: installedAccountSchema.parse(scrubber.fields(context.account)),
      exchanges: ofRead?.exchanges ?? [],
      read,
      uses: [],
    };
    const expected = await expectedOf(plugin, recording);
    const uses = further.map((each) =>
      withExpected(plugin, recording, { use: pluginUseSchema.parse(each.use), exchanges: each.exchanges }),
    );
    return { ...recording, ...(expected && { expected }), uses: await Promise.all(uses) };
  }
  throw new Error('personal words could not be replaced: record another booking');
}
