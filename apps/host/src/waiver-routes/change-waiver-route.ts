import type { WaiverChange } from '@waiver-service/store';
import type { HostServices } from '../composition/host-services.ts';
import type { RouteModule } from '../http/host-app.ts';
import { bookingSystemOfPool, checkBookingSystem } from './link-booking-system.ts';
import { waiverNotFound, waiverVoided } from './waiver-problems.ts';
import { waiverRecordAnswer, waiverRecordSchema } from './waiver-record.ts';
import { type ChangedWaiverBody, changedWaiverSchema, waiverParamsSchema } from './waiver-schemas.ts';

type Services = Pick<HostServices, 'store' | 'bookingSystems'>;

/** What the request means for the record's booking system; `undefined` leaves it. */
async function changedBookingSystem(pool: string, id: string, body: ChangedWaiverBody, services: Services) {
  if (body.bookingSystem !== undefined) {
    if (body.bookingSystem !== null) checkBookingSystem(body.bookingSystem, services);
    return body.bookingSystem;
  }
  if (!body.bookingId) return undefined;
  // A record that is linked to a booking system already stays with it.
  const record = await services.store.waivers.get(pool, id);
  if (!record) throw waiverNotFound(id);
  return record.bookingSystem === null ? bookingSystemOfPool(pool, services) : undefined;
}

/** `PATCH /v1/pools/{pool}/waivers/{id}`: one step of a multi-step waiver, or a correction. */
export const changeWaiverRoute: RouteModule<Services> = (app, services) => {
  app.patch(
    '/v1/pools/:pool/waivers/:id',
    {
      config: { access: 'pool' },
      schema: {
        tags: ['waiver app'],
        summary: 'Change a waiver record',
        description: 'What is left out stays; null removes. Answers are merged. A voided waiver answers 409.',
        params: waiverParamsSchema,
        body: changedWaiverSchema,
        response: { 200: waiverRecordSchema },
      },
    },
    async (request) => {
      const { pool, id } = request.params;
      const { lastVisit, bookingSystem: _named, ...rest } = request.body;
      const bookingSystem = await changedBookingSystem(pool, id, request.body, services);
      const change: WaiverChange = {
        ...rest,
        ...(bookingSystem === undefined ? {} : { bookingSystem }),
        ...(lastVisit === undefined ? {} : { lastVisit: new Date(lastVisit) }),
      };
      const result = await services.store.waivers.update(pool, id, change);
      if (result.outcome === 'not-found') throw waiverNotFound(id);
      if (result.outcome === 'voided') throw waiverVoided(id);
      return waiverRecordAnswer(result.record);
    },
  );
};
