import { setTimeout as delay } from 'node:timers/promises';
import { type OctoBooking, octoBooking, type SimulatedOcto } from '@waiver-service/plugin-octo/simulator';
import { z } from 'zod';
import { showHeading, showStep } from './screen.ts';
import { pool, timeZone } from './story.ts';
import { anything, type WaiverServiceClient } from './waiver-service.ts';

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

/** Everyone who has signed, or has begun to, for a booking of a day. */
function waiversOf(day: string) {
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
        answers: { name },
      };
    }),
  );
}

/** Those who have signed on a day without a booking. */
function walkInsOf(day: string) {
  return walkIns.map((name, index) => ({
    id: `demo-${day}-walk-in-${index + 1}`,
    lastVisit: `${day}T08:1${index}:00Z`,
    answers: { name },
  }));
}

/** The guests who have arrived on a day, for each booking with one. */
function arrivalsOf(day: string) {
  return plan.flatMap(({ guests }, index) => {
    const here = guests.flatMap(({ state }, place) =>
      state === 'here' ? `guest:${idOf(day, index + 1, place + 1)}` : [],
    );
    return here.length === 0 ? [] : { bookingId: idOf(day, index + 1), guests: here };
  });
}

/** The participants in the day. */
interface SaturdayCast {
  readonly operator: WaiverServiceClient;
  /** A booking system that lists its bookings, with those of `days`. */
  readonly octo: SimulatedOcto;
  readonly octoKey: string;
  readonly days: ReturnType<typeof demoDays>;
}

const boardSchema = z.looseObject({
  counts: z.object({
    bookings: z.int(),
    guests: z.int(),
    signed: z.int(),
    missing: z.int(),
    arrived: z.int(),
  }),
  bookings: z.array(z.looseObject({ bookingId: z.string() })),
  walkIns: z.array(z.unknown()),
});
type Board = z.infer<typeof boardSchema>;

const pathOf = (day: string) => `/v1/admin/pools/${pool}/days/${day}`;

async function readBoard(operator: WaiverServiceClient, day: string): Promise<Board> {
  const { body } = await operator.call('GET', pathOf(day), boardSchema);
  return body;
}

/** The operator installs the booking system; it has no install call. */
async function installOcto({ operator, octo, octoKey }: SaturdayCast): Promise<void> {
  await operator.call('PUT', '/v1/admin/booking-systems/octo', anything, {
    baseUrl: octo.url,
    // An earlier run of the demo had another port.
    sendCredentialsTo: octo.url,
  });
  const installation = `/v1/admin/pools/${pool}/installations/octo`;
  await operator.call('PUT', installation, anything, { accountId: 'demo', apiKey: octoKey });
}

/** Reading the board makes the service list the day's bookings, in the background. */
async function untilListed(operator: WaiverServiceClient, day: string): Promise<Board> {
  const expected = octoBookingsOf(day);
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    const board = await readBoard(operator, day);
    const ids = new Set(board.bookings.map(({ bookingId }) => bookingId));
    if (expected.every(({ uuid }) => ids.has(uuid))) return board;
    await delay(50);
  }
  throw new Error(`the day board does not show the bookings of ${day}`);
}

/** Guests of the day sign, and arrive. */
async function fillDay(operator: WaiverServiceClient, day: string): Promise<void> {
  const { walkIns } = await untilListed(operator, day);
  // An earlier run of the demo has filled this day.
  if (walkIns.length > 0) return;
  const sign = (waiver: unknown) => operator.call('POST', `/v1/pools/${pool}/waivers`, anything, waiver);
  await Promise.all(waiversOf(day).map(sign));
  const arrived = true;
  for (const { bookingId, guests } of arrivalsOf(day)) {
    const path = `${pathOf(day)}/bookings/${bookingId}/arrivals`;
    await operator.call('PUT', path, anything, { bookingSystem: 'octo', guests, arrived });
  }
  await Promise.all(walkInsOf(day).map(sign));
}

/** A second booking system lists its bookings, and the day board shows who has signed for them. */
export async function showSaturday(cast: SaturdayCast): Promise<void> {
  const { operator, days } = cast;
  showHeading('A Saturday');
  await installOcto(cast);
  showStep('The operator connected a second booking system, which speaks OCTO and lists its bookings');
  const startedAt = performance.now();
  await Promise.all([...new Set([days.saturday, days.today])].map((day) => fillDay(operator, day)));
  const { counts } = await readBoard(operator, days.saturday);
  showStep(
    `The board of Saturday, ${days.saturday}: ${counts.bookings} bookings, ${counts.guests} guests, ${counts.signed} signed, ${counts.missing} missing, ${counts.arrived} arrived, a school class in a late bus`,
    performance.now() - startedAt,
  );
}
