import { readBooking } from '@waiver-service/api';
import type { PoolSetup } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { seesGuests } from '../authentication/caller.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { Outbound, Store } from '../given.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem, unknownPool } from '../http/http-problem.ts';
import { bookingAnswer } from './booking-answer.ts';
import { BookingReader, type BookingReading } from './booking-reader.ts';
import { BookingSources } from './booking-sources.ts';
import { explainRead } from './explained-read.ts';
import type { ReadStep } from './read-step.ts';

interface Read {
  readonly setup: PoolSetup;
  readonly bookingSystem: string | undefined;
  readonly bookingId: string;
  readonly signal: AbortSignal;
}

/** `GET /v1/pools/{pool}/bookings/{booking_id}`: a booking, the pre-fill of its waivers, and who has signed. */
@injectable()
export class BookingRoute implements RouteModule {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(Outbound) private readonly outbound: Outbound,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(BookingSources) private readonly bookingSources: BookingSources,
    @inject(BookingReader) private readonly bookingReader: BookingReader,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems, bookingReader, bookingSources: sources, outbound } = this;

    /** Reads for a person, over separate connections: the booking system's answers are shown but not stored. */
    async function readExplained(request: Read): Promise<[BookingReading, readonly ReadStep[]]> {
      const { result, steps } = await explainRead<BookingReading>({
        sources,
        outbound,
        ...request,
        read: (_source, trace) => bookingReader.read({ ...request, trace }),
      });
      if ('error' in result) throw result.error;
      return [result.value, steps];
    }

    app.route({
      ...readBooking,
      handler: async (request, reply) => {
        const { pool: poolId, booking_id: bookingId } = request.params;
        const { bookingSystem } = request.query;
        const isExplained = request.query.explain === 'true';
        // Not validated: the response to an unknown name lists the known ones.
        if (bookingSystem !== undefined) bookingSystems.resolve(bookingSystem);
        const { caller } = request;
        if (isExplained && (caller?.kind !== 'person' || !seesGuests(caller))) {
          throw new HttpProblem(
            403,
            'forbidden',
            'Only operators and owners may ask how a booking was read.',
          );
        }
        const setup = caller?.kind === 'pool' ? caller.setup : await store.pools.setup(poolId);
        if (!setup) throw unknownPool(poolId);
        const read = { setup, bookingSystem, bookingId, signal: callerSignal(reply) };
        const [reading, steps] = isExplained ? await readExplained(read) : [await bookingReader.read(read)];
        const key = { pool: poolId, bookingSystem: reading.bookingSystem, bookingId: reading.bookingId };
        const waivers = await store.waivers.forBooking(key);
        const { prefillProperties, timeZone } = setup;
        const parts = { reading, prefillProperties, waivers, timeZone, now: new Date(), caller };
        const answer = bookingAnswer(parts);
        if (steps === undefined) return answer;
        return {
          ...answer,
          explanation: { steps: [...steps], aliases: [...(await store.bookings.aliases(key))] },
        };
      },
    });
  }
}
