import type { UsedKiosk } from '@waiver-service/store';
import { z } from 'zod';
import type { Day, DayBooking } from '../days/day.ts';
import { publishedFormSchema, sealingSchema } from './check-in-session.ts';
import { chooseForm } from './choose-form.ts';
import { guestLabel } from './guest-label.ts';
import { pinVerifierSchema } from './kiosk-pin.ts';
import type { NamedForm } from './published-forms.ts';
import { activitiesOf } from './signing-day.ts';

const formIndex = z
  .int()
  .nullable()
  .describe('Zero-based position in `forms`; null if there is nothing to sign.');

export const kioskDaySchema = z
  .object({
    pool: z.object({ name: z.string() }),
    kiosk: z.object({ name: z.string(), returnAfterS: z.int(), pin: pinVerifierSchema }),
    date: z.iso.date(),
    timeZone: z.string(),
    sealing: sealingSchema,
    forms: z.array(publishedFormSchema),
    walkInForm: formIndex,
    bookings: z.array(
      z.object({
        bookingSystem: z.string(),
        bookingId: z.string(),
        reference: z.string(),
        sessions: z.array(
          z.object({
            startsAt: z.string(),
            activityId: z.string().optional(),
            activityName: z.string().optional(),
          }),
        ),
        activities: z.array(z.string()),
        form: formIndex,
        guests: z.array(
          z.object({
            bookingGuestId: z.string(),
            label: z.string().describe('First name and last initial; empty if the guest has no name.'),
            signed: z.boolean(),
          }),
        ),
        expected: z.int(),
        signed: z.int(),
      }),
    ),
  })
  .meta({ id: 'KioskDay' });

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
