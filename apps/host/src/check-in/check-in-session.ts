import type { checkInSessionSchema } from '@waiver-service/api';
import type { Booking } from '@waiver-service/core';
import { checkAnswer, loadSentences, type SigningDay } from '@waiver-service/forms';
import type { BookingWaiver, UsedCheckInLink } from '@waiver-service/store';
import type { z } from 'zod';
import { shownSession } from '../booking-reading/booking-days.ts';
import { matchWaivers, prefillGuests } from '../booking-reading/booking-guests.ts';
import { guestLabel } from './guest-label.ts';
import type { NamedForm } from './published-forms.ts';

export type CheckInSession = z.input<typeof checkInSessionSchema>;

/** The kind of a link. */
export function linkKind({ bookingId, bookingGuestId }: UsedCheckInLink): 'booking' | 'guest' | 'desk' {
  if (bookingId === null) return 'desk';
  return bookingGuestId === null ? 'booking' : 'guest';
}

interface SessionParts {
  readonly link: UsedCheckInLink;
  /** Undefined if it cannot be read. */
  readonly booking: Booking | undefined;
  readonly waivers: readonly BookingWaiver[];
  readonly prefillProperties: readonly string[];
  readonly day: SigningDay;
  readonly form: NamedForm;
  readonly sealing: CheckInSession['sealing'];
  readonly returning: CheckInSession['returning'];
}

// The sentences are not shown.
const sentences = await loadSentences('en');

/** The values that the form's questions accept as answers: a guest would have to correct others. */
function acceptedBy(
  { content }: Pick<NamedForm, 'content'>,
  prefill: Readonly<Record<string, unknown>>,
  day: SigningDay,
): Readonly<Record<string, unknown>> {
  const questions = content.pages.flatMap(({ items }) => items).filter((item) => item.type === 'ask');
  const isAccepted = (name: string, value: unknown) =>
    typeof value !== 'string' ||
    questions.every(
      (item) =>
        item.property !== name ||
        checkAnswer(item, value.trim(), { day, photos: [], sentences }) === undefined,
    );
  return Object.fromEntries(Object.entries(prefill).filter(([name, value]) => isAccepted(name, value)));
}

function guestsOf({
  link,
  booking,
  waivers,
  prefillProperties,
  form,
  day,
}: SessionParts): CheckInSession['guests'] {
  if (booking === undefined) return [];
  const matched = matchWaivers(booking, waivers, link.timeZone).guests;
  const { guests: prefilled } = prefillGuests(booking, prefillProperties);
  return booking.guests.flatMap(({ id, name }, index) => {
    if (id === undefined || (link.bookingGuestId !== null && link.bookingGuestId !== id)) return [];
    const guest = { bookingGuestId: id, label: guestLabel(name), signed: matched[index]?.signed ?? false };
    const isPersonal = link.bookingGuestId === id;
    return isPersonal ? { ...guest, prefill: acceptedBy(form, prefilled[index]?.prefill ?? {}, day) } : guest;
  });
}

/** The content of a link's page: only its own booking, and of other guests only who is missing. */
export function checkInSession(parts: SessionParts): CheckInSession {
  const { link, booking, waivers, day, form, sealing, returning } = parts;
  return {
    pool: { name: link.poolName },
    link: { kind: linkKind(link), expiresAt: link.expiresAt },
    booking:
      link.bookingId === null
        ? null
        : {
            reference: booking?.id ?? link.bookingId,
            sessions: (booking?.bookedSessions ?? []).map(shownSession),
            pax: booking?.pax ?? null,
            signed: matchWaivers(booking, waivers, link.timeZone).signed,
          },
    guests: guestsOf(parts),
    day: { date: day.date, activities: [...day.activities], timeZone: link.timeZone },
    form: { ...form, content: { ...form.content } },
    sealing,
    returning,
  };
}
