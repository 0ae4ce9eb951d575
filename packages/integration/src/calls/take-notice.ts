import {
  type BookingSystemPlugin,
  bookingIdSchema,
  describeIssue,
  type InboundCall,
  type InboundNotice,
  type InstalledAccount,
  poolIdSchema,
} from '@waiver-service/core';
import { findUnstorable, HttpProblem, malformed, problemDetails } from '@waiver-service/http';
import { maxQueuedRefreshes, type PoolOfKey } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { Store } from '../given.ts';
import { BookingRefresh } from './booking-refresh.ts';
import { ChangePolling } from './change-polling.ts';
import { InboundAuthenticity, readInboundAccess } from './inbound-authenticity.ts';

/** The body of an inbound call as in the contract. */
const contractNoticeSchema = z
  .looseObject({
    id: z
      .union([bookingIdSchema, z.int().transform(String)])
      .describe('The booking that is new or has changed.'),
    pool: poolIdSchema.describe('The pool that the app pool key belongs to.'),
  })
  .meta({ id: 'InboundNotice' });

const maxBookings = 1000;
const maxMessageIdLength = 1024;
const maxAnswerBytes = 64 * 1024;

// Reserved for the server: a plugin that set one could break the connection, or set a cookie in its caller.
const reservedHeaders =
  /^(?:connection|content-length|date|keep-alive|set-cookie|te|trailer|transfer-encoding|upgrade)$/i;

const jsonBytes = (body: unknown) => Buffer.byteLength(JSON.stringify(body ?? ''));

const nativeNoticeSchema = z.object({
  bookingIds: z.array(bookingIdSchema).max(maxBookings),
  missedCalls: z.boolean().optional(),
  messageId: z.string().max(maxMessageIdLength).optional(),
  answer: z
    .object({
      status: z.int().min(200).max(299).optional(),
      headers: z
        .record(
          z
            .string()
            .regex(/^[\w-]{1,100}$/)
            .refine((name) => !reservedHeaders.test(name), 'a header that a plugin may set'),
          z
            .string()
            .max(8192)
            .regex(/^[\t\x20-\x7e]*$/),
        )
        .optional(),
      body: z
        .unknown()
        .refine((body) => jsonBytes(body) <= maxAnswerBytes, `at most ${maxAnswerBytes} bytes`)
        .optional(),
    })
    .optional(),
});

/**
 * Reads a call in the vendor's own form. One that names no booking is accepted, because booking systems disable their
 * calls after a few errors.
 * @throws HttpProblem 400 for a malformed booking id or call
 */
function readNativeCall(
  plugin: BookingSystemPlugin,
  call: InboundCall<unknown, InstalledAccount>,
): InboundNotice {
  let notice: unknown;
  try {
    notice = plugin.parseInbound?.(call) ?? { bookingIds: [] };
  } catch (cause) {
    if (call.body === undefined) return { bookingIds: [] };
    throw new HttpProblem(400, 'malformed', `This is not a call that ${plugin.displayName} makes.`, {
      cause,
    });
  }
  const parsed = nativeNoticeSchema.safeParse(notice, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return { ...parsed.data, bookingIds: [...new Set(parsed.data.bookingIds)] };
}

function namesNoBooking(body: unknown): boolean {
  if (body === undefined) return true;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return !('id' in body) || body.id === undefined || body.id === null;
}

/**
 * Reads a call in the contract's form. One that names no booking is accepted, too.
 * @throws HttpProblem 400
 */
function readContractCall(body: unknown): InboundNotice {
  if (namesNoBooking(body)) return { bookingIds: [] };
  const unstorable = findUnstorable(body);
  if (unstorable !== undefined) throw malformed([unstorable]);
  const parsed = contractNoticeSchema.safeParse(body, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error));
  return { bookingIds: [parsed.data.id] };
}

/** Whether the calls of a booking system are in the vendor's own form. */
export const isNative = ({ capabilities }: BookingSystemPlugin) => capabilities.inbound === 'native';

const queueFull = () =>
  new HttpProblem(
    429,
    'too_many_bookings',
    `${maxQueuedRefreshes} bookings of this installation wait to be read already. Nothing is wrong with this call: send it again, unchanged.`,
    { headers: { 'retry-after': '60' } },
  );

const nothing: InboundNotice = { bookingIds: [] };

/** A notice with only the vendor's answer; empty if the call cannot be read. */
function onlyAnswer(read: () => InboundNotice): InboundNotice {
  try {
    return { bookingIds: [], answer: read().answer };
  } catch (error) {
    if (error instanceof HttpProblem) return nothing;
    throw error;
  }
}

/** The account that a call is about; undefined for a call that names none. */
function accountOf(plugin: BookingSystemPlugin, call: InboundCall<unknown, InstalledAccount>) {
  try {
    return plugin.inboundAccount?.(call);
  } catch (cause) {
    throw new HttpProblem(400, 'malformed', `This is not a call that ${plugin.displayName} makes.`, {
      cause,
    });
  }
}

/** Handles an authentic call: the bookings that it names are queued to be reread. */
@injectable()
export class NoticeTaker {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(BookingRefresh) private readonly bookingRefresh: BookingRefresh,
    @inject(ChangePolling) private readonly changePolling: ChangePolling,
    @inject(InboundAuthenticity) private readonly authenticity: InboundAuthenticity,
  ) {}

  /**
   * Reads the call for one pool, and queues its bookings to be reread.
   * @throws HttpProblem 400 for a malformed call, 429 if too many bookings wait
   */
  async takeFor(
    request: FastifyRequest,
    plugin: BookingSystemPlugin,
    installed: PoolOfKey,
  ): Promise<InboundNotice> {
    const readContract = () => (installed.pending ? nothing : readContractCall(request.body ?? undefined));
    const notice = isNative(plugin) ? await this.readNativeFor(request, plugin, installed) : readContract();
    const { bookingIds, messageId } = notice;
    if (bookingIds.length > 0 || notice.missedCalls) {
      const missedCalls = notice.missedCalls && !(await this.asksWhatChanged(plugin, installed.pool));
      const message = { missedCalls, messageId };
      const { pool } = installed;
      const isQueued = await this.store.bookings.requestRefresh(
        pool,
        plugin.installName,
        bookingIds,
        message,
      );
      this.bookingRefresh.wake();
      if (!isQueued) throw queueFull();
    }
    return notice;
  }

  /** The same for every pool in which the account of the call is installed. */
  async takeForAccount(request: FastifyRequest, plugin: BookingSystemPlugin): Promise<InboundNotice> {
    const access = await readInboundAccess(this.store, plugin);
    if (access === undefined) return nothing;
    const call = { ...this.authenticity.inboundRequest(request, access), body: request.body ?? undefined };
    const accountId = accountOf(plugin, call);
    const pools =
      accountId === undefined
        ? []
        : await this.store.installations.poolsOfAccount(plugin.installName, accountId);
    if (pools.length === 0) return onlyAnswer(() => readNativeCall(plugin, call));
    const notices: InboundNotice[] = [];
    for (const installed of pools) notices.push(await this.takeFor(request, plugin, installed));
    const answer = notices.find((notice) => notice.answer !== undefined)?.answer;
    return { bookingIds: [...new Set(notices.flatMap(({ bookingIds }) => bookingIds))], answer };
  }

  private async readNativeFor(
    request: FastifyRequest,
    plugin: BookingSystemPlugin,
    { pool, pending }: PoolOfKey,
  ): Promise<InboundNotice> {
    const access = await readInboundAccess(this.store, plugin, pool);
    if (access === undefined) {
      const { installName: bookingSystem } = plugin;
      request.log.warn(
        { pool, bookingSystem },
        'an inbound call for an installation whose settings are incomplete',
      );
      return nothing;
    }
    const call: InboundCall<unknown, InstalledAccount> = {
      ...this.authenticity.inboundRequest(request, access),
      body: request.body ?? undefined,
    };
    const read = () => readNativeCall(plugin, call);
    // Calls before the approval are valid: errors could make the vendor disable them.
    return pending ? onlyAnswer(read) : read();
  }

  /** Requests the missed changes from a booking system that lists changes; false if it was never asked before. */
  private async asksWhatChanged({ capabilities, installName }: BookingSystemPlugin, pool: string) {
    if (capabilities.changes === undefined) return false;
    const isAsked = await this.store.bookingChanges.request(pool, installName);
    if (isAsked) this.changePolling.wake();
    return isAsked;
  }
}
