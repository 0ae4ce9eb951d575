import {
  type acceptedLateSigningSchema,
  acceptLateSigning,
  deleteLateSigning,
  type lateSigningSchema,
  listLateSignings,
  sendSealedSigning,
} from '@waiver-service/api';
import type { Signing } from '@waiver-service/forms';
import { CannotOpen, openEnvelope } from '@waiver-service/forms/envelope';
import {
  type Caller,
  countedAddress,
  createFailureThrottle,
  createPoolShare,
  type HostApp,
  HttpProblem,
  inPath,
  pageOf,
  type RouteModule,
  seesGuests,
  signingActorOf,
} from '@waiver-service/http';
import {
  BaseUrl,
  BookingSystemResolver,
  requireBookingSystem,
  requirePool,
} from '@waiver-service/integration';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import type { LateSigning } from '../data/late-signings.ts';
import type { StoredSealingKey } from '../data/pool-secrets.ts';
import { SigningStore } from '../data/signing-store.ts';
import { GuestBudgets } from '../links/guest-budgets.ts';
import { GuestTurns } from '../links/guest-turns.ts';
import { FindKiosk } from '../links/link-access.ts';
import { findOrReadLinkedBooking, OpenedBookings } from '../links/link-booking.ts';
import { SigningSettings } from '../signing-settings.ts';
import {
  findLatePlace,
  lateSummarySchema,
  readKeptBody,
  readLateBody,
  storeLateSigning,
} from './late-signing.ts';
import { contentHashOf, prepareSigning, type SigningPlace } from './signing-checks.ts';
import { signingAnswer, signingOf, signingShare, userAgentOf } from './signing-route.ts';

// Shared by the guests behind one address, such as a hotel's.
const wrongEnvelopesPerMinute = 60;

/** Those without a known link have the budget of one, from however many addresses they send. */
const strangersOf = (pool: string) => `strangers of ${pool}`;

const unknownKey = () => new HttpProblem(404, 'sealing_key_not_found', 'No pool has a key with this id.');

const cannotOpen = () =>
  new HttpProblem(
    422,
    'envelope_damaged',
    'The envelope does not open with this key. Keep it, and show the device to the operator.',
  );

/**
 * `POST /check-in/api/sealed-signings/{key}`: a signing that waited on a device. The envelope contains its link's
 * token, so that the device keeps neither the token nor the signing in the clear.
 */
@injectable()
export class SealedSigningRoute implements RouteModule {
  constructor(
    @inject(SigningSettings) readonly settings: SigningSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(SigningStore) readonly store: SigningStore,
    @inject(FindKiosk) readonly findKiosk: FindKiosk,
    @inject(OpenedBookings) readonly openedBookings: OpenedBookings,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    const { guestBudgets } = this;
    const throttle = createFailureThrottle(wrongEnvelopesPerMinute);
    const keys = new WeakMap<FastifyRequest, StoredSealingKey>();
    const keyOf = (request: FastifyRequest): StoredSealingKey => {
      const key = keys.get(request);
      if (key === undefined) throw new Error('the key of an envelope is read before its body');
      return key;
    };
    const share = createPoolShare<FastifyRequest>({
      ...signingShare(this),
      sourceOf: (request) => ({ pool: keyOf(request).pool, link: null, address: request.ip }),
    });
    app.route({
      ...sendSealedSigning,
      onRequest: async (request) => {
        const id = inPath(request, 'key') ?? '';
        const key = z.uuid().safeParse(id).success ? await this.store.sealingKeys.find(id) : undefined;
        if (key === undefined) {
          throttle.record({ caller: countedAddress(request.ip), key: id });
          throw unknownKey();
        }
        keys.set(request, key);
        guestBudgets.check('sign', { pool: key.pool, link: null, address: request.ip });
      },
      preParsing: share.take,
      handler: (request, reply) =>
        share.handle(request, async () => {
          const key = keyOf(request);
          let text: string;
          try {
            text = await openEnvelope(key, request.body.envelope);
          } catch (error) {
            if (!(error instanceof CannotOpen)) throw error;
            throttle.record({ caller: countedAddress(request.ip), key: key.id });
            throw cannotOpen();
          }
          const body = readLateBody(text);
          const receivedAt = await this.store.signings.receivedNow();
          const { place, signedAt, caller } = await findLatePlace(this, key.pool, body, receivedAt);
          if (caller !== undefined) request.caller = caller;
          const link = place.id ?? strangersOf(key.pool);
          const guests = body.signing?.guests.length ?? 1;
          guestBudgets.take('sign', { pool: key.pool, link, address: request.ip }, guests);
          const result = await storeLateSigning(
            this,
            { place, body, text, receivedAt, signedAt },
            {
              address: request.ip,
              userAgent: userAgentOf(request),
              by: signingActorOf(request.caller),
              // What has arrived is stored even if the guest loses the connection.
              signal: new AbortController().signal,
            },
          );
          if (result.outcome !== 'kept')
            return reply
              .code(result.outcome === 'same' ? 200 : 201)
              .send(signingAnswer(this, result.signing));
          request.log.warn(
            { pool: key.pool, reason: result.reason },
            'a signing arrived late and needs attention: see late-signings of the pool',
          );
          return reply.code(202).send({ id: body.signing?.id ?? null, kept: true });
        }),
    });
  }
}

type AcceptBody = z.output<typeof acceptedLateSigningSchema>;

function answerOf(late: LateSigning, caller: Caller | null): z.input<typeof lateSigningSchema> {
  const { id, reason, bookingSystem, bookingId, receivedAt, summary } = late;
  const { names, email, signedAt } = lateSummarySchema.parse(JSON.parse(summary));
  const listed = { id, reason, bookingSystem, bookingId, signedAt, receivedAt };
  return seesGuests(caller)
    ? { ...listed, names, email }
    : { ...listed, names: null, email: null, redacted: true };
}

const notListed = (id: string) =>
  new HttpProblem(404, 'late_signing_not_found', `This pool lists no late signing ${JSON.stringify(id)}.`);

const unreadable = () =>
  new HttpProblem(409, 'no_signing', 'What arrived is no signing: there is nothing to store of it.');

/** The place that staff choose. */
async function placeOf(
  services: LateSigningRoutes,
  late: LateSigning,
  body: AcceptBody,
): Promise<SigningPlace> {
  const { pool } = late;
  const { bookingId = late.bookingId } = body;
  const timeZone = (await services.store.pools.get(pool))?.timeZone ?? 'UTC';
  const place = { id: late.link, pool, timeZone, bookingGuestId: null, expiresAt: null } as const;
  const kind = late.link === null ? 'unknown' : bookingId === null ? 'desk' : 'booking';
  if (bookingId === null) return { ...place, bookingSystem: null, bookingId, kind };
  const { bookingSystem: named } = body;
  // Checked even if the device named it.
  const known = bookingId === late.bookingId ? (late.bookingSystem ?? undefined) : undefined;
  const bookingSystem = await requireBookingSystem(services, pool, named ?? known);
  return { ...place, bookingSystem, bookingId, kind };
}

/** Sets the guests' ids: as staff chose, otherwise as signed, if the booking has them. */
async function withGuests(
  services: LateSigningRoutes,
  place: SigningPlace,
  signing: Signing,
  { bookingGuestIds: given }: AcceptBody,
  signal: AbortSignal,
): Promise<Signing> {
  const linked = await findOrReadLinkedBooking(services, place, { judgement: 'accepted', signal });
  const known = linked?.booking?.guests.flatMap(({ id }) => id ?? []);
  const guests = signing.guests.map(({ bookingGuestId: said, answers }, index) => {
    const isThere = said !== undefined && linked !== undefined && (known?.includes(said) ?? true);
    const id = given === undefined ? (isThere ? said : undefined) : given[index];
    return id ? { bookingGuestId: id, answers } : { answers };
  });
  return { ...signing, guests };
}

/** Signings that waited on a device and could not become waivers, and what staff do about them. */
@injectable()
export class LateSigningRoutes implements RouteModule {
  constructor(
    @inject(SigningSettings) readonly settings: SigningSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(SigningStore) readonly store: SigningStore,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(OpenedBookings) readonly openedBookings: OpenedBookings,
  ) {}

  addRoutes(app: HostApp): void {
    const { lateSignings, signings } = this.store;

    app.route({
      ...listLateSignings,
      handler: async ({ params: { pool }, query, caller }) => {
        await requirePool(this, pool);
        return pageOf(lateSignings.list(pool, query), (late) => answerOf(late, caller));
      },
    });

    app.route({
      ...acceptLateSigning,
      handler: async ({ params: { pool, id }, body, caller, signal }, reply) => {
        const late = await lateSignings.get(pool, id);
        if (late === undefined) throw notListed(id);
        const { signing, address, userAgent, signedAt, clockAheadMs } = readKeptBody(late.body);
        if (signing === undefined) throw unreadable();
        const place = await placeOf(this, late, body);
        // Another signing, or voided waivers, already have the id.
        const isTaken = late.reason === 'signing_exists' || late.reason === 'waiver_voided';
        const placed = await withGuests(this, place, signing, body, signal);
        const store = async (as: string) => {
          const prepared = await prepareSigning(this, {
            ...{ place, address, userAgent, clockAheadMs, receivedAt: late.receivedAt },
            signedAt: signedAt === undefined ? late.receivedAt : new Date(signedAt),
            signing: { ...placed, id: as },
            judgement: 'accepted',
            contentHash: contentHashOf(signing),
            by: signingActorOf(caller),
            signal,
          });
          if ('changed' in prepared)
            throw new Error('an accepted signing is not judged by the form of today');
          return signings.store(prepared);
        };
        const result = await store(isTaken ? late.id : signing.id);
        // What was begun with its id is another's, or has ended.
        const isRefused = result.outcome === 'id-taken' || result.outcome === 'waiver-gone';
        const stored = signingOf(isRefused && !isTaken ? await store(late.id) : result);
        await lateSignings.remove(pool, id);
        return reply.code(201).send(signingAnswer(this, stored));
      },
    });

    app.route({
      ...deleteLateSigning,
      handler: async ({ params: { pool, id } }, reply) => {
        if (!(await lateSignings.remove(pool, id))) throw notListed(id);
        return reply.code(204).send(null);
      },
    });
  }
}
