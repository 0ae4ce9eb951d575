import type { UsedCheckInLink } from '@waiver-service/store';
import type { Mailer } from '../alerts/mailer.ts';
import { lastDayOf } from '../booking-reading/booking-days.ts';
import type { LinkedBooking } from '../check-in/link-booking.ts';
import type { Store } from '../given.ts';
import { guestOfLink, type NamedVisit, returningPeople } from './returning-people.ts';

/** How a link's guests can be identified; null: they must sign. A form for one visit is signed each time. */
export async function returningBy(
  services: { readonly store: Store; readonly mailer: Mailer | undefined },
  link: UsedCheckInLink,
  linked: LinkedBooking | undefined,
  { day, form }: Pick<NamedVisit, 'day' | 'form'>,
): Promise<'known' | 'code' | null> {
  const lastDay = lastDayOf(linked?.booking?.bookedSessions ?? [], link.timeZone) ?? day.date;
  const guest = guestOfLink(link, linked);
  const people =
    guest === undefined ? [] : await returningPeople(services, link.pool, guest, { day, lastDay, form });
  if (people.length > 0) return 'known';
  const outlastsVisit = form !== undefined && !('visit' in form.content.validity);
  return services.mailer !== undefined && outlastsVisit ? 'code' : null;
}
