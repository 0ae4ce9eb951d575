import type { Waiver } from '@waiver-service/core';
import { type RecordingServer, startRecordingServer } from '../http/recording-server.ts';
import { answerGuestUpdate } from './answer-guest-update.ts';
import { answerRead } from './answer-read.ts';
import type { ServedForm } from './booking-forms.ts';
import { BookingShelf } from './booking-shelf.ts';
import {
  type AnnouncementAnswer,
  type Installation,
  Installations,
  type InstallCall,
} from './installations.ts';
import { readPath } from './read-path.ts';
import { refuse } from './refuse.ts';
import { seededBookings } from './seeded-bookings.ts';
import type { SimulatedBooking } from './simulated-booking.ts';

/** The requests that can be made to a simulated booking system. */
export type BookingSystemRoute = 'read' | 'guest-update';

/** How a simulated booking system is to be spoken to. */
export interface BookingSystemOptions {
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** The header that carries the key when a booking is read. */
  readonly authHeaderName: string;
  /** The header that carries it in Guest Update; `API-key` where absent. */
  readonly guestUpdateAuthHeaderName?: string;
  readonly apiKey: string;
  readonly pathShape: 'path' | 'query';
  readonly form: ServedForm;
  /** What it holds at first; {@link seededBookings} where absent. */
  readonly bookings?: Iterable<SimulatedBooking>;
  /** The pools that may read; any where absent, as long as one is named. */
  readonly pools?: readonly string[];
}

/** A booking system over real HTTP. */
export interface SimulatedBookingSystem extends RecordingServer<BookingSystemRoute> {
  readonly bookings: BookingShelf;
  /** The form that bookings are served in; may be changed at any time. */
  form: ServedForm;
  /** The waivers that Guest Updates brought and no void removed, by waiver id. */
  readonly waivers: ReadonlyMap<string, Waiver>;
  /** What a waiver service gave it at install, by pool. */
  readonly installations: ReadonlyMap<string, Installation>;
  /** Makes the install call (contract 4.4). Throws with the answer where it is refused. */
  install(call: InstallCall): Promise<Installation>;
  /** Makes the uninstall call (contract 4.5). Throws with the answer where it is refused. */
  uninstall(call: InstallCall): Promise<void>;
  /** Tells the webhook address of every installation that a booking is new or has changed. */
  announce(bookingId: string): Promise<readonly AnnouncementAnswer[]>;
}

/** Starts a booking system on 127.0.0.1 (contract 4.1, 4.2). */
export async function startBookingSystem({
  port,
  authHeaderName,
  guestUpdateAuthHeaderName = 'API-key',
  apiKey,
  pathShape,
  form,
  bookings: held = seededBookings,
  pools,
}: BookingSystemOptions): Promise<SimulatedBookingSystem> {
  const bookings = new BookingShelf(held);
  const waivers = new Map<string, Waiver>();
  const installations = new Installations(apiKey);
  const served = { form };
  const server = await startRecordingServer<BookingSystemRoute>({
    port,
    routeOf: (method, path) => readPath(method, path)?.route ?? 'other',
    answer(request) {
      if (request.route === 'read') {
        return answerRead(request, bookings, served.form, { authHeaderName, apiKey, pathShape, pools });
      }
      if (request.route === 'guest-update') {
        return answerGuestUpdate(request, waivers, { guestUpdateAuthHeaderName, apiKey });
      }
      return refuse(404, 'there is no such address');
    },
  });
  return {
    ...server,
    bookings,
    waivers,
    installations: installations.byPool,
    install: (call) => installations.install(call),
    uninstall: (call) => installations.uninstall(call),
    announce: (bookingId) => installations.announce(bookingId),
    get form() {
      return served.form;
    },
    set form(next) {
      served.form = next;
    },
  };
}
