import { randomUUID } from 'node:crypto';
import { readCheckInSession } from '@waiver-service/api';
import { makeSealingKey } from '@waiver-service/forms/envelope';
import { inject, injectable } from 'inversify';
import { Mailer } from '../alerts/mailer.ts';
import { BookingReader } from '../booking-reading/booking-reader.ts';
import { Store } from '../given.ts';
import { callerSignal } from '../http/aborted-requests.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { returningBy } from '../returning/returning-by.ts';
import { checkInSession } from './check-in-session.ts';
import { chooseForm } from './choose-form.ts';
import { GuestBudgets, guestSourceOf } from './guest-budgets.ts';
import { GuestTurns } from './guest-turns.ts';
import { guestOf } from './link-access.ts';
import { readLinkedBooking } from './link-booking.ts';
import { createOpenedBookings } from './opened-bookings.ts';
import { publishedForms } from './published-forms.ts';
import { signingDay } from './signing-day.ts';

/** 404: the pool has no form for the activities. */
export const noForm = (): HttpProblem =>
  new HttpProblem(404, 'no_form', 'There is no form to sign here. Ask the operator.');

/** `GET /check-in/api/session`: everything that the page of a link needs. */
@injectable()
export class SessionRoute implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(BookingReader) readonly bookingReader: BookingReader,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
    @inject(Mailer) readonly mailer: Mailer | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;
    const openedBookings = createOpenedBookings(this);
    app.route({
      ...readCheckInSession,
      onRequest: async (request) => this.guestBudgets.take('open', guestSourceOf(request)),
      handler: (request, reply) =>
        this.guestTurns.run(guestSourceOf(request), callerSignal(reply), async () => {
          const { link } = guestOf(request);
          const linked = await readLinkedBooking(this, openedBookings, link, request);
          const day = signingDay(linked?.booking?.bookedSessions ?? [], link.timeZone, new Date());
          const form = chooseForm(await publishedForms(store.forms, link.pool), day.activities);
          if (form === undefined) throw noForm();
          const [waivers, setup, sealing] = await Promise.all([
            linked === undefined ? [] : store.waivers.forBooking(linked),
            store.pools.setup(link.pool),
            store.sealingKeys.current(link.pool, () => makeSealingKey(randomUUID())),
          ]);
          const prefillProperties = setup?.prefillProperties ?? [];
          const booking = linked?.booking;
          const returning = await returningBy(this, link, linked, { day, form });
          return checkInSession({
            ...{ link, booking, waivers, prefillProperties, day, form, sealing, returning },
          });
        }),
    });
  }
}
