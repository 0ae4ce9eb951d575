import { type kioskDaySchema, pinVerifierSchema } from '@waiver-service/api';
import type { UsedKiosk } from '@waiver-service/store';
import type { z } from 'zod';
import type { Day, DayBooking } from '../days/day.ts';
import { chooseForm } from './choose-form.ts';
import { guestLabel } from './guest-label.ts';
import type { NamedForm } from './published-forms.ts';
import { activitiesOf } from './signing-day.ts';

export type KioskDay = z.input<typeof kioskDaySchema>;

interface DayParts {
  readonly kiosk: UsedKiosk;
  readonly day: Day;
  /** The oldest first. */
  readonly forms: readonly NamedForm[];
  readonly sealing: KioskDay['sealing'];
}

const sessionOf = ({ startsAt, activityId, activityName }: DayBooking['sessions'][number]) => ({
  startsAt,
  ...(activityId === undefined ? {} : { activityId }),
  ...(activityName === undefined ? {} : { activityName }),
});

/** A kiosk's day: about guests, no more than a group's link shows. */
export function kioskDay({ kiosk, day, forms, sealing }: DayParts): KioskDay {
  const used: NamedForm[] = [];
  const placeOf = (activities: readonly string[]): number | null => {
    const form = chooseForm(forms, activities);
    if (form === undefined) return null;
    if (!used.includes(form)) used.push(form);
    return used.indexOf(form);
  };
  const bookings = day.bookings
    .filter(({ isCancelled }) => !isCancelled)
    .map(({ bookingSystem, bookingId, booking, sessions, guests, expected, signed }) => {
      const activities = activitiesOf(booking?.bookedSessions ?? sessions);
      return {
        ...{ bookingSystem, bookingId, activities, expected, signed },
        reference: booking?.id ?? bookingId,
        sessions: sessions.map(sessionOf),
        form: placeOf(activities),
        guests: guests.flatMap(({ kind, bookingGuestId, name, state }) =>
          kind === 'listed' && bookingGuestId !== undefined
            ? [{ bookingGuestId, label: guestLabel(name), signed: state === 'signed' }]
            : [],
        ),
      };
    });
  const walkInForm = placeOf([]);
  return {
    pool: { name: kiosk.poolName },
    kiosk: {
      name: kiosk.name,
      returnAfterS: kiosk.returnAfterS,
      pin: pinVerifierSchema.parse(JSON.parse(kiosk.pinVerifier)),
    },
    date: day.date,
    timeZone: day.timeZone,
    sealing,
    forms: used.map((form) => ({ ...form, content: { ...form.content } })),
    walkInForm,
    bookings,
  };
}
