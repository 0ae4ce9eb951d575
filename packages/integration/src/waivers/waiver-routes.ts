import {
  answersMaxCount,
  type changedWaiverSchema,
  changeWaiver,
  createWaiver,
  listChanges,
  listWaivers,
  readWaiver,
  voidWaiver,
} from '@waiver-service/api';
import {
  callerSignal,
  changeActorOf,
  createPoolShare,
  type HostApp,
  HttpProblem,
  inPool,
  malformed,
  pageOrProblem,
  type RouteModule,
  seesGuests,
  unknownPool,
} from '@waiver-service/http';
import type { WaiverChange, WaiverRecord } from '@waiver-service/waivers';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { CheckIn, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { seesAnswers } from '../serving/authenticate-callers.ts';
import { givenAnswers } from './answer-of.ts';
import {
  bookingSystemOfPool,
  checkBookingSystem,
  holdAnswer,
  missingWaiver,
  waiverErased,
  waiverExists,
  waiverRecordAnswer,
  waiverTooLarge,
  waiverVoided,
} from './waiver-problems.ts';

/** `POST /v1/pools/{pool}/waivers`: stores a signed waiver, without waiting for any partner. */
@injectable()
export class WaiverRoutes implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(CheckIn) private readonly checkIn: CheckIn,
  ) {}

  addRoutes(app: HostApp): void {
    const share = createPoolShare({ sourceOf: inPool });
    app.route({
      ...createWaiver,
      preParsing: share.take,
      handler: (request, reply) =>
        share.handle(request, async () => {
          const { pool } = request.params;
          const { body } = request;
          let bookingSystem = body.bookingSystem ?? null;
          if (bookingSystem !== null) checkBookingSystem(bookingSystem, this);
          else if (body.bookingId) bookingSystem = await bookingSystemOfPool(pool, this);

          const result = await this.store.waivers.create(
            { ...body, pool, bookingSystem, answers: givenAnswers(body.answers) },
            changeActorOf(request.caller),
          );
          switch (result.outcome) {
            case 'unknown-pool':
              throw unknownPool(pool);
            case 'answers-too-large':
              throw waiverTooLarge();
            case 'erased':
              throw waiverErased(body.id ?? '');
            case 'exists-differently':
            case 'held-by-other-pool':
              throw waiverExists();
            case 'same':
              return reply.code(200).send(waiverRecordAnswer(result.record, seesAnswers(request.caller)));
            case 'created': {
              const path = ['v1', 'pools', pool, 'waivers', result.record.id]
                .map(encodeURIComponent)
                .join('/');
              // Not redacted: the caller sent all of it.
              return reply
                .code(201)
                .header('location', `/${path}`)
                .send(waiverRecordAnswer(result.record, true));
            }
          }
        }),
    });

    this.addList(app);
    this.addChanges(app);
    this.addReading(app);
    this.addChanging(app);
    this.addVoiding(app);
  }

  /** `GET /v1/pools/{pool}/waivers`: the pool's records by last change, or those that a search finds. */
  private addList(app: HostApp): void {
    app.route({
      ...listWaivers,
      preValidation: refuseSearchOfViewers,
      preHandler: refuseHeldToApps,
      handler: async (request) => {
        const { pool } = request.params;
        const { search: text, ...query } = request.query;
        const page = await pageOrProblem(
          text === undefined
            ? this.store.waivers.list(pool, query)
            : this.store.waivers.search(pool, { ...query, text }),
        );
        if (page.items.length === 0 && !(await this.store.pools.get(pool))) throw unknownPool(pool);
        return {
          items: page.items.map((record) => waiverRecordAnswer(record, seesAnswers(request.caller))),
          next: page.next,
        };
      },
    });
  }

  /** `GET /v1/pools/{pool}/changes`: the pool's records as they change, without gaps. */
  private addChanges(app: HostApp): void {
    app.addHook('preClose', () => this.store.changes.stopWaiting());
    app.route({
      ...listChanges,
      handler: async (request, reply) => {
        const { pool } = request.params;
        const { after, limit, wait } = request.query;
        if (request.caller?.kind !== 'pool' && !(await this.store.pools.get(pool))) throw unknownPool(pool);
        const changes = this.store.changes.read(pool, {
          after,
          limit,
          waitMs: wait * 1_000,
          signal: callerSignal(reply),
        });
        const result = await pageOrProblem(changes, 'after');
        if ('outcome' in result) throw tooManyWaiting();
        return {
          items: result.items.map(({ erased, ...record }) => ({
            ...waiverRecordAnswer(record, seesAnswers(request.caller)),
            ...(erased ? { erased } : {}),
          })),
          next: result.next,
        };
      },
    });
  }

  /** `GET /v1/pools/{pool}/waivers/{id}`: the record and the states of its deliveries. */
  private addReading(app: HostApp): void {
    const { checkIn } = this;
    const { waivers, holds } = this.store;
    app.route({
      ...readWaiver,
      handler: async (request) => {
        const { pool, id } = request.params;
        const record = await waivers.get(pool, id);
        if (!record) throw await missingWaiver(this, pool, id);
        const isPerson = request.caller?.kind === 'person';
        const hold = isPerson ? await holds.get(pool, id) : undefined;
        const signing = isPerson ? await checkIn.signingOf(pool, id) : undefined;
        const flags = signing && seesGuests(request.caller) ? signing.flags : null;
        return {
          ...waiverRecordAnswer(record, seesAnswers(request.caller)),
          deliveries: await waivers.deliveriesOf(pool, id),
          ...(signing === undefined ? {} : { signing: { ...signing, flags } }),
          ...(hold === undefined ? {} : { hold: holdAnswer(hold, seesGuests(request.caller)) }),
        };
      },
    });
  }

  /** `PATCH /v1/pools/{pool}/waivers/{id}`: the next step of a multi-step waiver, or a correction. */
  private addChanging(app: HostApp): void {
    const share = createPoolShare({ sourceOf: inPool });
    app.route({
      ...changeWaiver,
      preParsing: share.take,
      handler: (request) =>
        share.handle(request, async () => {
          const { pool, id } = request.params;
          const { body } = request;
          const bookingSystem = await checkChange(request.params, body, this);
          const result = await this.store.waivers.update(
            pool,
            id,
            { ...body, bookingSystem },
            { by: changeActorOf(request.caller) },
          );
          if (result.outcome === 'not-found') throw await missingWaiver(this, pool, id);
          if (result.outcome === 'voided') throw waiverVoided(id);
          if (result.outcome === 'answers-too-large') throw waiverTooLarge();
          return waiverRecordAnswer(result.record, seesAnswers(request.caller));
        }),
    });
  }

  /** `POST /v1/pools/{pool}/waivers/{id}/void`: voids a waiver permanently. 200 for a voided one, too. */
  private addVoiding(app: HostApp): void {
    app.route({
      ...voidWaiver,
      handler: async (request) => {
        const { pool, id } = request.params;
        const result = await this.store.waivers.void(pool, id, changeActorOf(request.caller));
        if (result.outcome === 'not-found') throw await missingWaiver(this, pool, id);
        return waiverRecordAnswer(result.record, seesAnswers(request.caller));
      },
    });
  }
}

/** A caller who may search by name could discover names, letter by letter. */
async function refuseSearchOfViewers({ query, caller }: FastifyRequest): Promise<void> {
  if (seesGuests(caller) || !Object.hasOwn(Object(query), 'search')) return;
  throw new HttpProblem(
    403,
    'forbidden',
    'This takes the role operator: a search can tell who the guests are.',
  );
}

/** Waiver apps must not learn of holds. */
async function refuseHeldToApps({ query, caller }: FastifyRequest<{ Querystring: { state?: string } }>) {
  if (caller?.kind === 'person' || query.state !== 'held') return;
  throw new HttpProblem(403, 'forbidden', 'Which records are held is for people: use a credential.');
}

const tooManyWaiting = () =>
  new HttpProblem(
    429,
    'too_many_waiting',
    'Too many requests for this pool wait for changes already: use fewer readers, or ask without `wait`.',
    { headers: { 'retry-after': '5' } },
  );

/** Each field of a waiver that an app may change. */
type ChangedWaiverBody = Pick<
  z.output<typeof changedWaiverSchema>,
  Exclude<keyof WaiverChange, 'validUntil' | 'reuseOf'>
>;

/**
 * The booking system of the record after the change; `undefined` keeps the current one. A record with a booking system
 * stays with it; one without is linked to the pool's default.
 */
async function changedBookingSystem(record: WaiverRecord, body: ChangedWaiverBody, services: WaiverRoutes) {
  const { bookingSystem, bookingId } = body;
  if (bookingSystem) checkBookingSystem(bookingSystem, services);
  if (bookingSystem !== undefined || !bookingId || record.bookingSystem !== null) return bookingSystem;
  return bookingSystemOfPool(record.pool, services);
}

// The schema limits one request; several must not add up to more.
function checkAnswersCount(record: WaiverRecord, answers: ChangedWaiverBody['answers']): void {
  const count = new Set([...Object.keys(record.answers), ...Object.keys(givenAnswers(answers ?? {}))]).size;
  if (count <= answersMaxCount) return;
  const message = `the waiver would have ${count} answers, where ${answersMaxCount} is the most`;
  throw malformed([{ path: 'answers', message }]);
}

// Outside the handler, so that no record stays in memory while its change waits.
async function checkChange(
  { pool, id }: { readonly pool: string; readonly id: string },
  body: ChangedWaiverBody,
  services: WaiverRoutes,
) {
  const record = await services.store.waivers.get(pool, id);
  if (!record) throw await missingWaiver(services, pool, id);
  if (record.deleted) throw waiverVoided(id);
  checkAnswersCount(record, body.answers);
  return changedBookingSystem(record, body, services);
}
