import { randomUUID } from 'node:crypto';
import { pairKiosk, readKioskDay, signAtKiosk } from '@waiver-service/api';
import { makeSealingKey } from '@waiver-service/forms/envelope';
import { countedAddress, createFailureThrottle } from '../authentication/failure-throttle.ts';
import { dayIn } from '../booking-reading/booking-days.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { checkBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { createPoolShare } from '../waiver-routes/pool-share.ts';
import { guestSourceOf } from './guest-budgets.ts';
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

/** `POST /check-in/api/kiosk/pair`: a tablet becomes a kiosk. */
const pairRoute: RouteModule = (app, { store }) => {
  const throttle = createFailureThrottle(wrongCodesPerMinute);
  app.route({
    ...pairKiosk,
    handler: async ({ body: { code }, ip }) => {
      const token = await store.kiosks.pair(code);
      if (token !== undefined) return { token };
      throttle.record({ caller: countedAddress(ip), key: code });
      throw wrongCode();
    },
  });
};

function addKioskRoutes(app: HostApp, services: Parameters<RouteModule>[1]): void {
  const { store, dayRefresh } = services;

  app.route({
    ...readKioskDay,
    handler: (request, reply) =>
      services.guestTurns.run(guestSourceOf(request), callerSignal(reply), async () => {
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

  const share = createPoolShare({ ...signingShare(services), sourceOf: guestSourceOf });
  app.route({
    ...signAtKiosk,
    onRequest: async (request) => services.guestBudgets.take('sign', guestSourceOf(request)),
    preParsing: share.take,
    handler: (request, reply) =>
      share.handle(request, async () => {
        const { signing, booking } = request.body;
        if (booking !== undefined) checkBookingSystem(booking.bookingSystem, services);
        const place = kioskPlace(kioskOf(request), booking);
        const answer = await answerSigning(services, request, { signing, place });
        if (answer.status === 400) return reply.code(400).send(answer.body);
        if (answer.status === 409) return reply.code(409).send(answer.body);
        return reply.code(answer.status).send(answer.body);
      }),
  });
}

/** The routes that a tablet calls, to become a kiosk and as one. */
export const kioskDeviceRoutes: RouteModule = (app, services) => {
  pairRoute(app, services);
  app.register(async (scope) => {
    openToKiosks(scope, services);
    addKioskRoutes(scope, services);
  });
};
