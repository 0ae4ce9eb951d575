import { type OctoBooking, octoBooking } from '@waiver-service/plugin-octo/simulator';

/** The time zone of the demo's pool. */
export const timeZone = 'Europe/Vienna';

/** The coming Saturday, and today: the day that the board opens with. */
export function demoDays(now: Date): { readonly saturday: string; readonly today: string } {
  // The Swedish format is YYYY-MM-DD.
  const today = now.toLocaleDateString('sv', { timeZone });
  const saturday = new Date(today);
  saturday.setUTCDate(saturday.getUTCDate() + 6 - saturday.getUTCDay());
  return { saturday: saturday.toISOString().slice(0, 10), today };
}

interface PlannedGuest {
  /** Undefined if the booking does not name the guest. */
  readonly name?: string;
  /** `begun`: has filled in the first page of the form. */
  readonly state: 'here' | 'signed' | 'begun' | 'missing';
}

interface PlannedBooking {
  /** From and until, where the activity is. */
  readonly times: readonly [string, string];
  readonly activity: string;
  readonly booker: string;
  readonly notes?: string;
  readonly isCancelled?: boolean;
  readonly guests: readonly PlannedGuest[];
}

const all = (state: PlannedGuest['state'], ...names: readonly string[]): PlannedGuest[] =>
  names.map((name) => ({ name, state }));

const morning = ['09:00', '12:00'] as const;
const rafting = 'Rafting on the Inn';
const canyoning = 'Canyoning in the Auerklamm';

const plan: readonly PlannedBooking[] = [
  {
    times: morning,
    activity: rafting,
    booker: 'Inês Duarte',
    guests: all('here', 'Inês Duarte', 'Tomás Duarte', 'Clara Duarte', 'Rui Duarte'),
  },
  {
    times: morning,
    activity: rafting,
    booker: 'Aoife Brennan',
    notes: 'Hen party: a boat of their own',
    guests: [
      ...all('here', 'Aoife Brennan', 'Niamh Kelly'),
      ...all('signed', 'Saoirse Walsh', 'Orla Byrne'),
      ...all('missing', 'Ciara Murphy', 'Maeve Ryan'),
    ],
  },
  {
    times: ['10:00', '13:00'],
    activity: canyoning,
    booker: 'Gymnasium Landeck',
    notes: 'The bus is late: class 4b is here at 10:40. Driver: +43 664 5550101',
    guests: [
      ...all('signed', 'Lukas Gruber', 'Emma Hofer', 'Jakob Wallner'),
      ...all('begun', 'Anna Steiner'),
      ...Array.from({ length: 14 }, (): PlannedGuest => ({ state: 'missing' })),
    ],
  },
  {
    times: ['10:00', '13:00'],
    activity: canyoning,
    booker: 'Chidi Okafor',
    guests: all('here', 'Chidi Okafor', 'Ngozi Okafor'),
  },
  {
    times: ['13:30', '16:30'],
    activity: rafting,
    booker: '山田 太郎',
    isCancelled: true,
    guests: all('missing', '山田 太郎', '山田 花子'),
  },
  {
    times: ['13:30', '16:30'],
    activity: rafting,
    booker: 'Łukasz Żak',
    notes: 'One wetsuit in XXL',
    guests: [...all('signed', 'Łukasz Żak'), ...all('begun', 'Zofia Żak'), ...all('missing', 'Staś Żak')],
  },
];

const walkIns: readonly string[] = ['Mia Lindqvist', 'Omar Haddad', 'Priya Nair'];

const idOf = (day: string, booking: number, guest = 0) =>
  `${day.replaceAll('-', '')}-${String(booking).padStart(4, '0')}-4000-8000-${String(guest).padStart(12, '0')}`;

const [firstItem] = octoBooking.unitItems;

/** The bookings of a day, as a system that speaks OCTO has them. */
export function octoBookingsOf(day: string): readonly OctoBooking[] {
  return plan.map(({ times: [from, until], activity, booker, notes = null, isCancelled, guests }, index) => {
    const uuid = idOf(day, index + 1);
    const status = isCancelled === true ? 'CANCELLED' : 'CONFIRMED';
    return {
      ...octoBooking,
      id: uuid,
      uuid,
      supplierReference: `DEMO-${index + 1}`,
      status,
      productId: activity,
      product: { id: activity, internalName: activity, timeZone, availabilityType: 'START_TIME' },
      availability: {
        ...Object(octoBooking.availability),
        id: `${day}T${from}`,
        localDateTimeStart: `${day}T${from}:00`,
        localDateTimeEnd: `${day}T${until}:00`,
      },
      contact: { fullName: booker },
      notes,
      unitItems: guests.map(({ name = null }, place) => ({
        ...firstItem,
        uuid: idOf(day, index + 1, place + 1),
        unitId: 'adult',
        resellerReference: null,
        supplierReference: `DEMO-${index + 1}-${place + 1}`,
        status,
        contact: { fullName: name },
      })),
    };
  });
}

/** A waiver of a day, as a waiver app stores it. */
export interface PlannedWaiver {
  readonly id: string;
  readonly [field: string]: unknown;
}

const answersOf = (name: string) => ({ name });

/** Everyone who has signed, or has begun to, for a booking of a day. */
export function waiversOf(day: string): readonly PlannedWaiver[] {
  return plan.flatMap(({ guests }, index) =>
    guests.flatMap(({ name, state }, place) => {
      if (name === undefined || state === 'missing') return [];
      const bookingGuestId = idOf(day, index + 1, place + 1);
      return {
        id: `demo-${bookingGuestId}`,
        bookingSystem: 'octo',
        bookingId: idOf(day, index + 1),
        bookingGuestId,
        currentPage: state === 'begun' ? 'health' : null,
        answers: answersOf(name),
      };
    }),
  );
}

/** Those who have signed on a day without a booking. */
export function walkInsOf(day: string): readonly PlannedWaiver[] {
  return walkIns.map((name, index) => ({
    id: `demo-${day}-walk-in-${index + 1}`,
    lastVisit: `${day}T08:1${index}:00Z`,
    answers: answersOf(name),
  }));
}

/** The guests who have arrived on a day, for each booking with one. */
export function arrivalsOf(
  day: string,
): readonly { readonly bookingId: string; readonly guests: readonly string[] }[] {
  return plan.flatMap(({ guests }, index) => {
    const here = guests.flatMap(({ state }, place) =>
      state === 'here' ? `guest:${idOf(day, index + 1, place + 1)}` : [],
    );
    return here.length === 0 ? [] : { bookingId: idOf(day, index + 1), guests: here };
  });
}
