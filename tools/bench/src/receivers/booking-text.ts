const session = (number: number) => ({
  startsAt: `2026-07-0${number + 1}T09:00:00Z`,
  endsAt: `2026-07-0${number + 1}T12:30:00Z`,
  activityId: `activity-${number}`,
  activityName: 'Whitewater rafting, half a day',
});

const guest = (number: number) => ({
  name: `Guest Number ${number}`,
  email: `guest.${number}@example.com`,
  phoneNumber: `+1 555 010 ${1000 + number}`,
  tShirtSize: 'M',
  swims: true,
});

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

/** A typical booking, as Booking Details answers it: six guests with extra fields, two sessions. */
export function bookingText(id: string, form: 'current' | 'legacy'): string {
  const common = {
    id,
    status: 'Active',
    contact: { name: 'Ada Booker', email: 'ada@example.com', phoneNumber: '+1 555 010 2000' },
    pax: 6,
    notes: 'Arrives by bus; two of the guests are on their first trip.',
    channel: 'website',
  };
  return JSON.stringify(
    form === 'current'
      ? {
          ...common,
          guests: numbers(6).map((number) => ({ id: `guest-${number}`, ...guest(number) })),
          bookedSessions: numbers(2).map(session),
        }
      : {
          ...common,
          startsAt: session(0).startsAt,
          endsAt: session(0).endsAt,
          activities: numbers(2)
            .map(session)
            .map(({ activityId, activityName }) => ({ activity: activityName, activityId })),
          guests: numbers(6).map((number) => ({ guestId: `guest-${number}`, ...guest(number) })),
        },
  );
}
