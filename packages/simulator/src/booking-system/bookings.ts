/** A guest of a simulated booking; may have only an id or only a name. */
export interface SimulatedGuest {
  readonly id?: string;
  readonly name?: string;
  readonly email?: string | null;
  readonly phoneNumber?: string | null;
  readonly [property: string]: unknown;
}

/** A booked activity and its time: UTC, ISO 8601. */
export interface SimulatedSession {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly activityId: string;
  readonly activityName: string;
}

/** A booking of the simulated booking system. Additional properties are served unchanged. */
export interface SimulatedBooking {
  readonly id: string;
  readonly status: string;
  readonly contact: { readonly name: string; readonly email?: string; readonly phoneNumber?: string };
  readonly pax: number;
  readonly guests: readonly SimulatedGuest[];
  readonly bookedSessions: readonly SimulatedSession[];
  readonly notes?: string | null;
  readonly [property: string]: unknown;
}

/** The bookings of a simulated booking system. */
export class BookingCollection {
  readonly #bookings = new Map<string, SimulatedBooking>();

  constructor(bookings: Iterable<SimulatedBooking>) {
    for (const booking of bookings) this.add(booking);
  }

  /** Every booking, in the order in which it was added. */
  get all(): readonly SimulatedBooking[] {
    return [...this.#bookings.values()];
  }

  get(id: string): SimulatedBooking | undefined {
    return this.#bookings.get(id);
  }

  /** Adds a booking. Throws if its id is taken. */
  add(booking: SimulatedBooking): void {
    if (this.#bookings.has(booking.id))
      throw new Error(`there is a booking ${booking.id} already: replace it`);
    this.#bookings.set(booking.id, booking);
  }

  /** Replaces the booking with the same id. Throws if there is none. */
  replace(booking: SimulatedBooking): void {
    if (!this.#bookings.has(booking.id))
      throw new Error(`there is no booking ${booking.id} to replace: add it`);
    this.#bookings.set(booking.id, booking);
  }

  /** Removes a booking, so that reading it returns 404. Returns whether there was one. */
  remove(id: string): boolean {
    return this.#bookings.delete(id);
  }
}

/** The forms of Booking Details (contract 9). */
export type ServedForm = 'current' | 'legacy';

/** Serializes a booking for Booking Details. */
export function writeBooking(booking: SimulatedBooking, form: ServedForm): Record<string, unknown> {
  return form === 'current' ? { ...booking } : writeLegacy(booking);
}

// The legacy form has one pair of times for the whole booking: the first start and the last end.
function writeLegacy({ bookedSessions, guests, ...rest }: SimulatedBooking): Record<string, unknown> {
  return {
    ...rest,
    startsAt: bookedSessions.map(({ startsAt }) => startsAt).sort()[0],
    endsAt: bookedSessions
      .map(({ endsAt }) => endsAt)
      .sort()
      .at(-1),
    activities: bookedSessions.map(({ activityId, activityName }) => ({
      activity: activityName,
      activityId,
    })),
    guests: guests.map(({ id, ...guest }) => (id === undefined ? guest : { guestId: id, ...guest })),
  };
}

const canyon: SimulatedSession = {
  startsAt: '2027-06-12T07:30:00Z',
  endsAt: '2027-06-12T11:00:00Z',
  activityId: 'canyon-half-day',
  activityName: 'Canyoning – Grünbach',
};
const raft: SimulatedSession = {
  startsAt: '2027-06-12T07:30:00Z',
  endsAt: '2027-06-12T11:00:00Z',
  activityId: 'raft-inn',
  activityName: 'Rafting auf dem Inn',
};
const night: SimulatedSession = {
  startsAt: '2027-06-12T19:00:00Z',
  endsAt: '2027-06-12T21:00:00Z',
  activityId: 'night-zip',
  activityName: '夜間ジップライン',
};

/** Bookings that cover cases that are easy to get wrong. */
export const seededBookings: readonly SimulatedBooking[] = [
  // Names that are not ASCII, guests with additional properties, notes.
  {
    id: 'BK-1001',
    status: 'Active',
    contact: { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' },
    pax: 3,
    notes: 'Anreise mit dem Zug 🚆',
    guests: [
      {
        id: 'G-1',
        name: 'Zoë Bäcker',
        email: 'zoe@example.com',
        phoneNumber: '+43 512 123456',
        shoeSize: 39,
      },
      { id: 'G-2', name: '李小龍', email: 'li@example.com' },
      { id: 'G-3', name: 'Siobhán Ní Dhúill' },
    ],
    bookedSessions: [canyon],
  },
  // Two activities at the same time and one later; notes null.
  {
    id: 'BK-1002',
    status: 'Active',
    contact: { name: 'محمد الفارسي', phoneNumber: '+968 2412 3456' },
    pax: 2,
    notes: null,
    guests: [
      { id: 'G-1', name: 'محمد الفارسي' },
      { id: 'G-2', name: 'Ægir Þórsson', email: null },
    ],
    bookedSessions: [canyon, raft, night],
  },
  // No named guests; notes absent.
  {
    id: 'BK-1003',
    status: 'Active',
    contact: { name: 'École de Montréal', email: 'sorties@example.com' },
    pax: 24,
    guests: [],
    bookedSessions: [raft],
  },
  // Guests with only an id: in the legacy form `{"guestId": …}` (contract 9).
  {
    id: 'BK-1004',
    status: 'Active',
    contact: { name: 'Nguyễn Thị Ánh', email: 'anh@example.com' },
    pax: 2,
    guests: [{ id: '7001' }, { id: '7002' }],
    bookedSessions: [canyon, raft],
  },
  // Ids that must be encoded, and a cancelled booking.
  {
    id: 'BK/10 05?é',
    status: 'Cancelled',
    contact: { name: 'Łukasz Żółć', email: 'lukasz@example.com' },
    pax: 1,
    notes: 'storniert',
    guests: [{ id: 'G/1 #1', name: 'Łukasz Żółć' }],
    bookedSessions: [night],
  },
];
