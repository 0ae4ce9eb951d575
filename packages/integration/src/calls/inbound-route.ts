import { inboundCall } from '@waiver-service/api';
import type { BookingSystemPlugin, InboundAnswer } from '@waiver-service/core';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { HttpProblem, zodValidatorCompiler } from '@waiver-service/http';
import type { PoolOfKey } from '@waiver-service/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { BaseUrl, CheckIn, checkInUrl, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { InboundAuthenticity, leaveBodiesUnparsed, unparsedBodyOf } from './inbound-authenticity.ts';
import { bookingSystemOfPath, textField } from './install-key.ts';
import { isNative, NoticeTaker } from './take-notice.ts';

function keyOutsideBody({ headers, query }: FastifyRequest): string | undefined {
  const { 'api-key': header } = headers;
  return typeof header === 'string' ? header.slice(0, 513) : textField(query, 'key');
}

const isShared = ({ capabilities }: BookingSystemPlugin) => capabilities.inboundAddress === 'shared';

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

/**
 * Inbound calls: a booking system announces, on behalf of a pool, that a booking is new or has changed (contract 5).
 */
@injectable()
export class InboundRoute implements RouteModule {
  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(Store) private readonly store: Store,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(InboundAuthenticity) private readonly authenticity: InboundAuthenticity,
    @inject(NoticeTaker) private readonly notices: NoticeTaker,
    @inject(CheckIn) private readonly checkIn: CheckIn,
  ) {}

  addRoutes(app: HostApp): void {
    // In a separate scope, because only this route reads bodies other than JSON.
    app.register(async (scope: HostApp) => this.addInboundRoute(scope));
  }

  private addInboundRoute(app: HostApp): void {
    const { store, bookingSystems, baseUrl, authenticity, notices, checkIn } = this;
    const pluginOf = (request: FastifyRequest) => bookingSystems.resolve(bookingSystemOfPath(request));

    /** Returns check-in links for a pool's bookings; undefined if there is nothing to sign. */
    async function linksFor({ installName }: BookingSystemPlugin, { pool, pending }: PoolOfKey) {
      const destination = pending
        ? undefined
        : (await store.pools.setup(pool))?.versionOf(installName)?.destination;
      if (destination === undefined || !(await checkIn.hasForm(pool))) return undefined;
      return async (bookingId: string) => {
        const booking = { pool, bookingSystem: installName, bookingId };
        const token = await checkIn.tokenOf(booking, destination);
        return token === undefined ? undefined : checkInUrl(baseUrl(), token);
      };
    }

    leaveBodiesUnparsed(app, (request) => isNative(pluginOf(request)));
    app.decorateRequest('openedPool', null);
    app.route({
      ...inboundCall,
      // Only ids are taken from a vendor's own body, and validated then. Anything else in it, such as a number that
      // JavaScript cannot represent, is no reason to reject the call.
      validatorCompiler: (route) =>
        route.httpPart === 'body' ? (value: unknown) => ({ value }) : zodValidatorCompiler(route),
      onRequest: async (request) => {
        if (isShared(pluginOf(request))) return;
        const key = keyOutsideBody(request);
        if (key !== undefined) await authenticity.identify(request, key);
      },
      preValidation: async (request) => {
        const plugin = pluginOf(request);
        const isVerified = plugin.inboundAuthenticity !== undefined;
        // A body is not parsed before its signature is verified, so a key in it would be too late.
        if (isVerified && !isShared(plugin) && request.openedPool === null)
          await authenticity.identify(request, undefined);
        if (isVerified) await authenticity.requireAuthentic(request, plugin);
        request.body = unparsedBodyOf(request).parse();
        if (isShared(plugin)) return;
        if (request.openedPool === null) await authenticity.identify(request, textField(request.body, 'key'));
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
            ? await notices.takeForAccount(request, plugin)
            : await notices.takeFor(request, plugin, openedPool);
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
  }
}
