import { randomUUID } from 'node:crypto';
import { bookingIdSchema } from '@waiver-service/core';
import { signingSchema } from '@waiver-service/forms';
import { makeSealingKey } from '@waiver-service/forms/envelope';
import { z } from 'zod';
import { countedAddress, createFailureThrottle } from '../authentication/failure-throttle.ts';
import { dayIn } from '../booking-reading/booking-days.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import { timeSchema } from '../http/date-time.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { checkBookingSystem } from '../waiver-routes/link-booking-system.ts';
import { createPoolShare } from '../waiver-routes/pool-share.ts';
import { guestSourceOf, poolBusyProblem } from './guest-budgets.ts';
import { kioskOf, openToKiosks } from './kiosk-access.ts';
import { kioskDay, kioskDaySchema } from './kiosk-day.ts';
import { kioskPlace } from './late-place.ts';
import { publishedForms } from './published-forms.ts';
import { answerSigning, maxSigningBytes, signingAnswers, signingShare } from './signing-route.ts';

// A code has 40 bits and is valid for ten minutes; typing errors on a desk's tablets stay far below this limit.
const wrongCodesPerMinute = 10;

const unauthorized = {
  401: 'The tablet is not paired (`kiosk_unknown`), or its kiosk was revoked (`kiosk_revoked`).',
  429: 'Too many wrong credentials from this address. See Retry-After.',
};

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
    config: {
      access: 'check-in-link',
      problems: {
        401: 'The code is unknown, has expired or was already used (`pairing_code_wrong`).',
        429: 'Too many wrong codes from this address. See Retry-After.',
      },
    },
    method: 'POST',
    url: '/check-in/api/kiosk/pair',
    schema: {
      operationId: 'pairKiosk',
      tags: ['Check-in'],
      summary: 'Pair a tablet with a code from the console',
      description: 'Returns a credential that is valid only for this kiosk’s routes and is shown only here.',
      body: z.strictObject({ code: z.string().min(1).max(40) }),
      response: { 200: z.object({ token: z.string() }) },
    },
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
  const waitingSchema = z.strictObject({
    waiting: z.int().min(0).max(100_000),
    waitingSince: timeSchema.nullable(),
  });

  app.route({
    config: { access: 'check-in-link', problems: { ...unauthorized, 429: poolBusyProblem } },
    method: 'PUT',
    url: '/check-in/api/kiosk/day',
    schema: {
      operationId: 'readKioskDay',
      tags: ['Check-in'],
      summary: 'Report how many signings wait on the kiosk, and read its day',
      description: 'Returns today’s bookings with the guests’ first names and last initials, and the forms.',
      body: waitingSchema,
      response: { 200: kioskDaySchema },
    },
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
    config: {
      access: 'check-in-link',
      problems: {
        ...unauthorized,
        403: 'A `bookingGuestId` is not of a guest of the booking (`guest_not_of_link`).',
        413: 'The signing is larger than 4 MiB, or the answers of a guest are larger than 256 KiB.',
        429: poolBusyProblem,
      },
    },
    method: 'POST',
    url: '/check-in/api/kiosk/signings',
    bodyLimit: maxSigningBytes,
    schema: {
      operationId: 'signAtKiosk',
      tags: ['Check-in'],
      summary: 'Sign at a kiosk, for a booking or without one',
      description: 'Works like `sign`, but takes the credential of the kiosk as the bearer token.',
      body: z.strictObject({
        booking: z
          .strictObject({ bookingSystem: z.string().max(100), bookingId: bookingIdSchema })
          .optional(),
        signing: signingSchema,
      }),
      response: signingAnswers,
    },
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
