import { randomInt, randomUUID } from 'node:crypto';
import { type RecordingServer, startRecordingServer } from '@waiver-service/simulator';
import {
  answerFareHarbor,
  type FareHarborKeys,
  type FareHarborRoute,
  routeOfFareHarbor,
} from './answer-fareharbor.ts';
import { type FareHarborBooking, fareHarborBooking } from './fareharbor-booking.ts';

export interface FareHarborOptions extends FareHarborKeys {
  /** Default: any free port. */
  readonly port?: number;
  /** Default: one {@link fareHarborBooking}. */
  readonly bookings?: Iterable<FareHarborBooking>;
}

/** FareHarbor's external API over real HTTP; `url` includes the base path. */
export interface SimulatedFareHarbor extends RecordingServer<FareHarborRoute> {
  /** By uuid. */
  readonly bookings: ReadonlyMap<string, FareHarborBooking>;
  /** Adds a booking, or replaces the one with the same uuid. */
  put(booking: FareHarborBooking): void;
  /** Replaces a booking by a new one with a new uuid and new customers; the old one refers to it. Returns the new one. */
  rebook(uuid: string, changes?: Partial<FareHarborBooking>): FareHarborBooking;
  /** Sends FareHarbor's unsigned webhook about a changed booking. Returns the status of the response. */
  announce(url: string, uuid: string): Promise<number>;
}

/** Starts FareHarbor's external API on 127.0.0.1. */
export async function startFareHarbor({
  port,
  bookings: initialBookings = [fareHarborBooking()],
  ...keys
}: FareHarborOptions): Promise<SimulatedFareHarbor> {
  const bookings = new Map([...initialBookings].map((booking) => [booking.uuid, booking]));
  const server = await startRecordingServer<FareHarborRoute>({
    port,
    routeOf: routeOfFareHarbor,
    answer: (request) => answerFareHarbor(request, bookings, keys),
  });
  const get = (uuid: string) => {
    const booking = bookings.get(uuid);
    if (booking === undefined) throw new Error(`there is no booking ${uuid}`);
    return booking;
  };
  return {
    ...server,
    url: `${server.url}/api/external/v1`,
    bookings,
    put: (booking) => void bookings.set(booking.uuid, booking),
    rebook(uuid, changes = {}) {
      const former = get(uuid);
      const customers = former.customers.map((customer) => ({ ...customer, pk: randomInt(1e9) }));
      const next = { ...former, uuid: randomUUID(), rebooked_from: uuid, customers, ...changes };
      bookings.set(uuid, { ...former, status: 'rebooked', rebooked_to: next.uuid });
      bookings.set(next.uuid, next);
      return next;
    },
    async announce(url, uuid) {
      const body = JSON.stringify({ booking: get(uuid) });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    },
  };
}
