import { answersMaxCount, type changedWaiverSchema, changeWaiver } from '@waiver-service/api';
import type { WaiverChange, WaiverRecord } from '@waiver-service/waivers';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { changeActorOf, seesAnswers } from '../authentication/caller.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { malformed } from '../http/http-problem.ts';
import { givenAnswers } from './answers-schema.ts';
import { bookingSystemOfPool, checkBookingSystem } from './link-booking-system.ts';
import { createPoolShare, inPool } from './pool-share.ts';
import { missingWaiver, waiverTooLarge, waiverVoided } from './waiver-problems.ts';
import { waiverRecordAnswer } from './waiver-record.ts';

/** Each field of a waiver that an app may change. */
type ChangedWaiverBody = Pick<
  z.output<typeof changedWaiverSchema>,
  Exclude<keyof WaiverChange, 'validUntil' | 'reuseOf'>
>;

/**
 * The booking system of the record after the change; `undefined` keeps the current one. A record with a booking system
 * stays with it; one without is linked to the pool's default.
 */
async function changedBookingSystem(
  record: WaiverRecord,
  body: ChangedWaiverBody,
  services: ChangeWaiverRoute,
) {
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
  services: ChangeWaiverRoute,
) {
  const record = await services.store.waivers.get(pool, id);
  if (!record) throw await missingWaiver(services, pool, id);
  if (record.deleted) throw waiverVoided(id);
  checkAnswersCount(record, body.answers);
  return changedBookingSystem(record, body, services);
}

/** `PATCH /v1/pools/{pool}/waivers/{id}`: the next step of a multi-step waiver, or a correction. */
@injectable()
export class ChangeWaiverRoute implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
  ) {}

  addRoutes(app: HostApp): void {
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
}
