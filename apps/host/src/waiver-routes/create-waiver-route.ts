import { createWaiver } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { changeActorOf, seesAnswers } from '../authentication/caller.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { givenAnswers } from './answers-schema.ts';
import { bookingSystemOfPool, checkBookingSystem } from './link-booking-system.ts';
import { createPoolShare, inPool } from './pool-share.ts';
import { waiverErased, waiverExists, waiverTooLarge } from './waiver-problems.ts';
import { waiverRecordAnswer } from './waiver-record.ts';

/** `POST /v1/pools/{pool}/waivers`: stores a signed waiver, without waiting for any partner. */
@injectable()
export class CreateWaiverRoute implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
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
  }
}
