import type {
  BookingSystemPlugin,
  InboundAnswer,
  InboundCall,
  InboundNotice,
  InboundRequest,
  InstalledAccount,
} from '@waiver-service/core';
import { maxQueuedRefreshes, type PoolOfKey } from '@waiver-service/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkInUrl } from '../check-in/check-in-url.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { zodValidatorCompiler } from '../http/validation.ts';
import { type InboundAccess, readInboundAccess } from './inbound-access.ts';
import { inboundTypes, leaveBodiesUnparsed, unparsedBodyOf } from './inbound-bodies.ts';
import { readContractCall, readNativeCall } from './inbound-notice.ts';
import { bookingSystemOfPath, textField, wrongKey } from './install-key.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The pool that the app pool key of an inbound call belongs to; null at an address for all accounts. */
    openedPool: PoolOfKey | null;
  }
}

// Vendors send whole bookings, some with a hundred guests, and often disable their calls after one was rejected.
const maxInboundBodyBytes = 1024 * 1024;

function keyOutsideBody({ headers, query }: FastifyRequest): string | undefined {
  const { 'api-key': header } = headers;
  return typeof header === 'string' ? header.slice(0, 513) : textField(query, 'key');
}

const isNative = ({ capabilities }: BookingSystemPlugin) => capabilities.inbound === 'native';
const isShared = ({ capabilities }: BookingSystemPlugin) => capabilities.inboundAddress === 'shared';

const queueFull = () =>
  new HttpProblem(
    429,
    'too_many_bookings',
    `${maxQueuedRefreshes} bookings of this installation wait to be read already. Nothing is wrong with this call: send it again, unchanged.`,
    { headers: { 'retry-after': '60' } },
  );

const nothing: InboundNotice = { bookingIds: [] };

/** A notice of which only the vendor's answer counts; none if the call cannot be read. */
function onlyAnswer(read: () => InboundNotice): InboundNotice {
  try {
    return { bookingIds: [], answer: read().answer };
  } catch (error) {
    if (error instanceof HttpProblem) return nothing;
    throw error;
  }
}

/** Answers as the vendor expects. */
async function sendAnswer(
  reply: FastifyReply,
  { status = 200, headers = {}, body = '' }: InboundAnswer,
): Promise<void> {
  const isText = typeof body === 'string';
  await reply
    .code(status)
    .type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
    .headers(headers)
    .send(isText ? body : JSON.stringify(body));
}

const addInboundRoute: RouteModule = (app, services) => {
  const { store, bookingSystems, keyThrottle, baseUrl, bookingRefresh, changePolling } = services;
  const pluginOf = (request: FastifyRequest) => bookingSystems.resolve(bookingSystemOfPath(request));

  const identify = async (request: FastifyRequest, key: string | undefined) => {
    const verified =
      key === undefined
        ? undefined
        : await store.installations.verifyPoolKey(bookingSystemOfPath(request), key);
    if (verified !== undefined) {
      request.openedPool = verified;
      return;
    }
    keyThrottle.record(request, key);
    throw wrongKey('The app pool key is missing or is not valid for this booking system.');
  };

  const inboundRequest = (
    request: FastifyRequest,
    access: InboundAccess,
  ): InboundRequest<unknown, InstalledAccount> => ({
    method: request.method,
    // Signatures are over the address that the vendor called.
    url: new URL(`${baseUrl()}${request.url}`),
    headers: request.headers,
    query: z.record(z.string(), z.unknown()).parse(request.query),
    rawBody: unparsedBodyOf(request).bytes,
    now: new Date(),
    ...access,
  });

  async function requireAuthentic(request: FastifyRequest, plugin: BookingSystemPlugin): Promise<void> {
    const { installName, displayName } = plugin;
    const access = await readInboundAccess(store, plugin, request.openedPool?.pool);
    if (access === undefined) {
      throw new HttpProblem(
        409,
        'booking_system_not_configured',
        `Calls of ${displayName} cannot be verified: its settings or its account are not complete.`,
      );
    }
    const authenticity = await Promise.resolve(
      plugin.inboundAuthenticity?.(inboundRequest(request, access)),
    ).catch((error: unknown) => {
      request.log.warn({ err: error, bookingSystem: installName }, 'an inbound call could not be verified');
      return 'forged';
    });
    if (authenticity === 'authentic') return;
    request.log.info({ bookingSystem: installName, authenticity }, 'an inbound call was refused');
    keyThrottle.record(request, undefined);
    throw wrongKey(
      authenticity === 'stale'
        ? `The signature of this call is of another time: it was recorded, or a clock is wrong.`
        : `This call is not authenticated as ${displayName} does.`,
    );
  }

  async function readNativeFor(
    request: FastifyRequest,
    plugin: BookingSystemPlugin,
    { pool, pending }: PoolOfKey,
  ): Promise<InboundNotice> {
    const access = await readInboundAccess(store, plugin, pool);
    if (access === undefined) {
      const { installName: bookingSystem } = plugin;
      request.log.warn(
        { pool, bookingSystem },
        'an inbound call for an installation whose settings are incomplete',
      );
      return nothing;
    }
    const call: InboundCall<unknown, InstalledAccount> = {
      ...inboundRequest(request, access),
      body: request.body ?? undefined,
    };
    const read = () => readNativeCall(plugin, call);
    // The calls are valid; errors before the approval could make the vendor disable them.
    return pending ? onlyAnswer(read) : read();
  }

  /** Requests the missed changes from a booking system that lists changes; false if it was never asked before. */
  async function asksWhatChanged({ capabilities, installName }: BookingSystemPlugin, pool: string) {
    if (capabilities.changes === undefined) return false;
    const isAsked = await store.bookingChanges.request(pool, installName);
    if (isAsked) changePolling.wake();
    return isAsked;
  }

  /** Reads the call for one pool, and has its bookings read again. */
  async function takeFor(
    request: FastifyRequest,
    plugin: BookingSystemPlugin,
    installed: PoolOfKey,
  ): Promise<InboundNotice> {
    const readContract = () => (installed.pending ? nothing : readContractCall(request.body ?? undefined));
    const notice = isNative(plugin) ? await readNativeFor(request, plugin, installed) : readContract();
    const { bookingIds, messageId } = notice;
    if (bookingIds.length > 0 || notice.missedCalls) {
      const missedCalls = notice.missedCalls && !(await asksWhatChanged(plugin, installed.pool));
      const message = { missedCalls, messageId };
      const { pool } = installed;
      const isQueued = await store.bookings.requestRefresh(pool, plugin.installName, bookingIds, message);
      bookingRefresh.wake();
      if (!isQueued) throw queueFull();
    }
    return notice;
  }

  /** Reads the call for every pool in which its account is installed. */
  async function takeForAccount(
    request: FastifyRequest,
    plugin: BookingSystemPlugin,
  ): Promise<InboundNotice> {
    const access = await readInboundAccess(store, plugin);
    if (access === undefined) return nothing;
    const call = { ...inboundRequest(request, access), body: request.body ?? undefined };
    const accountId = accountOf(plugin, call);
    const pools =
      accountId === undefined ? [] : await store.installations.poolsOfAccount(plugin.installName, accountId);
    if (pools.length === 0) return onlyAnswer(() => readNativeCall(plugin, call));
    const notices: InboundNotice[] = [];
    for (const installed of pools) notices.push(await takeFor(request, plugin, installed));
    const answer = notices.find((notice) => notice.answer !== undefined)?.answer;
    return { bookingIds: [...new Set(notices.flatMap(({ bookingIds }) => bookingIds))], answer };
  }

  /** The links to check in to bookings of a pool; undefined where there is nothing to sign. */
  async function linksFor({ installName }: BookingSystemPlugin, { pool, pending }: PoolOfKey) {
    const destination = pending
      ? undefined
      : (await store.pools.setup(pool))?.versionOf(installName)?.destination;
    if (destination === undefined || !(await store.forms.hasPublished(pool))) return undefined;
    return async (bookingId: string) => {
      const booking = { pool, bookingSystem: installName, bookingId };
      const token = await store.checkInLinks.ofBooking(booking, destination);
      return token === undefined ? undefined : checkInUrl(baseUrl(), token);
    };
  }

  leaveBodiesUnparsed(app, (request) => isNative(pluginOf(request)));
  app.decorateRequest('openedPool', null);
  app.route({
    config: {
      access: 'booking-system',
      problems: {
        429: 'Too many calls with a wrong key from this address, or more bookings than may wait to be read (`too_many_bookings`). See Retry-After.',
      },
    },
    method: 'POST',
    url: '/integration/webhook/:booking_system',
    bodyLimit: maxInboundBodyBytes,
    schema: {
      operationId: 'inboundCall',
      tags: ['Booking systems'],
      summary: 'Announce a new or changed booking',
      description:
        'Contains the app pool key that install returned: in the header `api-key`, or as `key` in the body or the query. The booking is read again in the background. A plugin may accept its vendor’s own body instead, as JSON, XML or a form, verify the vendor’s signature (then the key must not be in the body), serve all accounts at one address (then there is no key), and answer as the vendor expects. The response to a call that names no booking is an empty list, as it is to every call while the installation is pending.',
      consumes: inboundTypes,
      params: z.object({ booking_system: z.string().describe('The install name of the booking system.') }),
      querystring: z.looseObject({ key: z.string().max(512).optional().describe('The app pool key.') }),
      body: z.unknown().meta({ description: 'The contract’s `{id, pool}`, or the vendor’s own.' }),
      response: {
        200: z.object({
          success: z.literal(true),
          bookings: z.array(
            z.object({
              id: z.string(),
              web: z
                .object({ preArrival: z.url() })
                .optional()
                .describe(
                  'The link by which the guests of the booking sign, where the pool has a published form.',
                ),
            }),
          ),
        }),
      },
    },
    // Only ids are taken from a vendor's own body, and validated then. Anything else in it, such as a number that
    // JavaScript cannot represent, is no reason to reject the call.
    validatorCompiler: (route) =>
      route.httpPart === 'body' ? (value: unknown) => ({ value }) : zodValidatorCompiler(route),
    onRequest: async (request) => {
      if (isShared(pluginOf(request))) return;
      const key = keyOutsideBody(request);
      if (key !== undefined) await identify(request, key);
    },
    preValidation: async (request) => {
      const plugin = pluginOf(request);
      const isVerified = plugin.inboundAuthenticity !== undefined;
      // Nothing of a body is parsed before its signature is verified, so a key in it would come too late.
      if (isVerified && !isShared(plugin) && request.openedPool === null) await identify(request, undefined);
      if (isVerified) await requireAuthentic(request, plugin);
      request.body = unparsedBodyOf(request).parse();
      if (isShared(plugin)) return;
      if (request.openedPool === null) await identify(request, textField(request.body, 'key'));
      const statedPool = textField(request.body, 'pool');
      // The key determines the pool; a body with another one is a mistake, or an attempt on another pool.
      if (!isNative(plugin) && statedPool !== undefined && statedPool !== request.openedPool?.pool) {
        throw new HttpProblem(403, 'forbidden', 'This app pool key belongs to another pool.');
      }
    },
    handler: async (request, reply) => {
      const plugin = pluginOf(request);
      const { openedPool } = request;
      const notice =
        openedPool === null
          ? await takeForAccount(request, plugin)
          : await takeFor(request, plugin, openedPool);
      if (notice.answer !== undefined) return sendAnswer(reply, notice.answer);
      const linkOf = openedPool === null ? undefined : await linksFor(plugin, openedPool);
      const bookings = await Promise.all(
        notice.bookingIds.map(async (id) => {
          const preArrival = await linkOf?.(id);
          return preArrival === undefined ? { id } : { id, web: { preArrival } };
        }),
      );
      return { success: true as const, bookings };
    },
  });
};

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

/**
 * Inbound calls: a booking system announces, on behalf of a pool, that a booking is new or has changed (contract 5).
 */
export const inboundRoute: RouteModule = (app, services) => {
  // In a separate scope, because only this route reads bodies other than JSON.
  app.register(async (scope: HostApp) => addInboundRoute(scope, services));
};
