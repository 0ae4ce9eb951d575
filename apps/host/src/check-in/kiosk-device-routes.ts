import { randomUUID } from 'node:crypto';
import { pairKiosk, readKioskDay, signAtKiosk } from '@waiver-service/api';
import { makeSealingKey } from '@waiver-service/forms/envelope';
import { inject, injectable } from 'inversify';
import { countedAddress, createFailureThrottle } from '../authentication/failure-throttle.ts';
import { dayIn } from '../booking-reading/booking-days.ts';
import { BookingReader } from '../booking-reading/booking-reader.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { DayRefresh } from '../days/refresh-day.ts';
import { BaseUrl, Store } from '../given.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { checkBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { createPoolShare } from '../waiver-routes/pool-share.ts';
import { GuestBudgets, guestSourceOf } from './guest-budgets.ts';
import { GuestTurns } from './guest-turns.ts';
import { kioskOf, openToKiosks } from './kiosk-access.ts';
import { kioskDay } from './kiosk-day.ts';
import { kioskPlace } from './late-place.ts';
import { publishedForms } from './published-forms.ts';
import { answerSigning, signingShare } from './signing-route.ts';

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
    @inject(HostSettings) readonly settings: HostSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(Store) readonly store: Store,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(BookingReader) readonly bookingReader: BookingReader,
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
