import { pbkdf2, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import {
  changeKiosk,
  createKiosk,
  type kioskDaySchema,
  listKiosks,
  makePairingCode,
  pairKiosk,
  pinVerifierSchema,
  readKioskDay,
  revokeKiosk,
  signAtKiosk,
} from '@waiver-service/api';
import { type Day, DayRefresh } from '@waiver-service/day-board';
import { makeSealingKey } from '@waiver-service/forms/envelope';
import {
  bearerToken,
  callerSignal,
  changeActorOf,
  countedAddress,
  createFailureThrottle,
  createPoolShare,
  type HostApp,
  HttpProblem,
  pageOf,
  type RouteModule,
  unknownPool,
} from '@waiver-service/http';
import {
  activitiesOf,
  BaseUrl,
  BookingSystemResolver,
  checkBookingSystem,
  dayIn,
  requirePool,
} from '@waiver-service/integration';
import {
  answerSigning,
  chooseForm,
  GuestBudgets,
  GuestTurns,
  guestLabel,
  guestSourceOf,
  isKiosk,
  kioskCaller,
  kioskPlace,
  type NamedForm,
  OpenedBookings,
  publishedForms,
  SigningSettings,
  signingShare,
  takeOtherGuests,
  type UsedKiosk,
} from '@waiver-service/signing';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { KioskStore, type StoredKiosk } from './data/kiosk-store.ts';

const derive = promisify(pbkdf2);

// OWASP's recommendation for PBKDF2 with SHA-256, the slow hash that browsers have, too.
const iterations = 600_000;

/** @returns JSON of a {@link pinVerifierSchema} */
async function pinVerifier(pin: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(pin, salt, iterations, 32, 'sha256');
  const verifier: z.infer<typeof pinVerifierSchema> = {
    salt: salt.toString('base64url'),
    iterations,
    hash: hash.toString('base64url'),
  };
  return JSON.stringify(verifier);
}

const defaultReturnS = 60;

const notFound = () => new HttpProblem(404, 'kiosk_not_found', 'This pool has no kiosk with this id.');

const answerOf = ({ pool: _, ...kiosk }: StoredKiosk) => kiosk;

/** The kiosks of a pool, as operators see them. */
@injectable()
export class KioskRoutes implements RouteModule {
  constructor(
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(KioskStore) readonly store: KioskStore,
  ) {}

  addRoutes(app: HostApp): void {
    const { kiosks } = this.store;
    const kioskUrl = () => `${this.baseUrl()}/check-in/kiosk`;

    app.route({
      ...createKiosk,
      handler: async ({ params: { pool }, body, caller }, reply) => {
        await requirePool(this, pool);
        const made = await kiosks.create(pool, {
          name: body.name,
          pinVerifier: await pinVerifier(body.pin),
          returnAfterS: body.returnAfterS ?? defaultReturnS,
          createdBy: changeActorOf(caller)?.id ?? '',
        });
        if (made === undefined)
          throw new HttpProblem(409, 'too_many_kiosks', 'A pool has at most 100 kiosks: revoke one first.');
        const { id, code, expiresAt } = made;
        return reply.code(201).send({ id, code, codeExpiresAt: expiresAt, url: kioskUrl() });
      },
    });

    app.route({
      ...listKiosks,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOf(kiosks.list(pool, query), answerOf);
      },
    });

    app.route({
      ...changeKiosk,
      handler: async ({ params: { pool, id }, body: { pin, name, returnAfterS } }) => {
        const verifier = pin && (await pinVerifier(pin));
        const kiosk = await kiosks.change(pool, id, { name, returnAfterS, pinVerifier: verifier });
        if (kiosk === undefined) throw notFound();
        return answerOf(kiosk);
      },
    });

    app.route({
      ...makePairingCode,
      handler: async ({ params: { pool, id } }, reply) => {
        const made = await kiosks.newCode(pool, id);
        if (made === undefined) throw notFound();
        return reply.code(201).send({ code: made.code, codeExpiresAt: made.expiresAt, url: kioskUrl() });
      },
    });

    app.route({
      ...revokeKiosk,
      handler: async ({ params: { pool, id } }, reply) => {
        if (!(await kiosks.revoke(pool, id))) throw notFound();
        return reply.code(204).send(null);
      },
    });
  }
}

type KioskDay = z.input<typeof kioskDaySchema>;

interface DayParts {
  readonly kiosk: UsedKiosk;
  readonly day: Day;
  /** The oldest first. */
  readonly forms: readonly NamedForm[];
  readonly sealing: KioskDay['sealing'];
}

/** A kiosk's day: about guests, no more than a group's link shows. */
function kioskDay({ kiosk, day, forms, sealing }: DayParts): KioskDay {
  const used: NamedForm[] = [];
  const placeOf = (activities: readonly string[]): number | null => {
    const form = chooseForm(forms, activities);
    if (form === undefined) return null;
    if (!used.includes(form)) used.push(form);
    return used.indexOf(form);
  };
  const bookings = day.bookings
    .filter(({ isCancelled }) => !isCancelled)
    .map(({ bookingSystem, bookingId, booking, sessions, guests, expected, signed }) => {
      const activities = activitiesOf(booking?.bookedSessions ?? sessions);
      return {
        ...{ bookingSystem, bookingId, activities, expected, signed },
        reference: booking?.id ?? bookingId,
        sessions: sessions.map(({ startsAt, activityId, activityName }) => ({
          startsAt,
          activityId,
          activityName,
        })),
        form: placeOf(activities),
        guests: guests.flatMap(({ kind, bookingGuestId, name, state }) =>
          kind === 'listed' && bookingGuestId !== undefined
            ? [{ bookingGuestId, label: guestLabel(name), signed: state === 'signed' }]
            : [],
        ),
      };
    });
  const walkInForm = placeOf([]);
  return {
    pool: { name: kiosk.poolName },
    kiosk: {
      name: kiosk.name,
      returnAfterS: kiosk.returnAfterS,
      pin: pinVerifierSchema.parse(JSON.parse(kiosk.pinVerifier)),
    },
    date: day.date,
    timeZone: day.timeZone,
    sealing,
    forms: used.map((form) => ({ ...form, content: { ...form.content } })),
    walkInForm,
    bookings,
  };
}

const wrongCredentialsPerMinute = 60;

const refused = (code: string, message: string) => new HttpProblem(401, code, message);

/** The kiosk that makes a request to a route for kiosks. */
function kioskOf({ caller }: Pick<FastifyRequest, 'caller'>): UsedKiosk {
  if (!isKiosk(caller)) throw new Error('this route is for kiosks');
  return caller.kiosk;
}

/** Opens the routes of a scope to paired kiosks, before the body is read. */
function openToKiosks(app: HostApp, { store }: { readonly store: KioskStore }): void {
  const throttle = createFailureThrottle(wrongCredentialsPerMinute);
  app.addHook('onRequest', async (request) => {
    const token = bearerToken(request);
    const kiosk = token?.startsWith('wsk_') ? await store.kiosks.find(token) : undefined;
    if (kiosk === undefined) {
      throttle.record({ caller: countedAddress(request.ip), key: token });
      throw refused('kiosk_unknown', 'This tablet is no kiosk any more: pair it again.');
    }
    // For the log, even if the request is refused.
    request.caller = kioskCaller(kiosk);
    if (kiosk.revokedAt !== null) {
      throttle.record({ caller: countedAddress(request.ip), key: token });
      throw refused('kiosk_revoked', 'This kiosk was revoked: pair the tablet again.');
    }
  });
}

// A code has 40 bits and is valid for ten minutes; typing errors on a desk's tablets stay far below this limit.
const wrongCodesPerMinute = 10;

const wrongCode = () =>
  new HttpProblem(
    401,
    'pairing_code_wrong',
    'There is no such code, or its ten minutes are over: make a new one.',
  );

/** The routes that a tablet calls, to become a kiosk and as one. */
@injectable()
export class KioskDeviceRoutes implements RouteModule {
  constructor(
    @inject(SigningSettings) readonly settings: SigningSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(KioskStore) readonly store: KioskStore,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(OpenedBookings) readonly openedBookings: OpenedBookings,
    @inject(DayRefresh) private readonly dayRefresh: DayRefresh,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    this.addPairing(app);
    app.register(async (scope) => {
      openToKiosks(scope, this);
      this.addKioskRoutes(scope);
    });
  }

  /** `POST /check-in/api/kiosk/pair`: a tablet becomes a kiosk. */
  private addPairing(app: HostApp): void {
    const throttle = createFailureThrottle(wrongCodesPerMinute);
    app.route({
      ...pairKiosk,
      handler: async ({ body: { code }, ip }) => {
        const token = await this.store.kiosks.pair(code);
        if (token !== undefined) return { token };
        throttle.record({ caller: countedAddress(ip), key: code });
        throw wrongCode();
      },
    });
  }

  private addKioskRoutes(app: HostApp): void {
    const { store, dayRefresh } = this;

    app.route({
      ...readKioskDay,
      handler: (request, reply) =>
        this.guestTurns.run(guestSourceOf(request), callerSignal(reply), async () => {
          const kiosk = kioskOf(request);
          const { pool, timeZone } = kiosk;
          await store.kiosks.recordSeen(kiosk.id, request.body);
          const date = dayIn(timeZone, new Date());
          const setup = await store.pools.setup(pool);
          if (setup === undefined) throw unknownPool(pool);
          const [{ day }, forms, sealing] = await Promise.all([
            // Also starts rereading the day from the booking systems, as the board does.
            dayRefresh.read(setup, date),
            publishedForms(store.forms, pool),
            store.sealingKeys.current(pool, () => makeSealingKey(randomUUID())),
          ]);
          return kioskDay({ kiosk, day, forms, sealing });
        }),
    });

    const share = createPoolShare({ ...signingShare(this), sourceOf: guestSourceOf });
    app.route({
      ...signAtKiosk,
      onRequest: async (request) => this.guestBudgets.take('sign', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request, reply) =>
        share.handle(request, async () => {
          const { signing, booking } = request.body;
          takeOtherGuests(this.guestBudgets, 'sign', request, signing.guests);
          if (booking !== undefined) checkBookingSystem(booking.bookingSystem, this);
          const place = kioskPlace(kioskOf(request), booking);
          const answer = await answerSigning(this, request, { signing, place });
          if (answer.status === 400) return reply.code(400).send(answer.body);
          if (answer.status === 409) return reply.code(409).send(answer.body);
          return reply.code(answer.status).send(answer.body);
        }),
    });
  }
}
