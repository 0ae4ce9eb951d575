/** How a guest signs. `attached`: at the desk, without the booking, to which staff attach the waiver later. */
export type SigningWay = 'phone' | 'kiosk' | 'kiosk-offline' | 'family' | 'returning' | 'attached';

/** The fate of a booking during the day. */
export type BookingFate = 'stays' | 'moves' | 'is-cancelled';

/** The booking systems of the day, by install name. */
const systemNames = ['standard', 'standard-query', 'octo', 'fareharbor'] as const;
export type SystemName = (typeof systemNames)[number];

export interface PlannedGuest {
  /** The guest's id in the booking system. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** `YYYY-MM-DD` */
  readonly born: string;
  readonly way: SigningWay;
}

export interface PlannedBooking {
  readonly system: SystemName;
  readonly id: string;
  /** The hour at which its session starts, where the activity is. */
  readonly hour: number;
  readonly guests: readonly PlannedGuest[];
  readonly fate: BookingFate;
  /** A note that staff have written, which no waiver may change. */
  readonly note: string;
}

/** Everyone who comes on a Saturday. */
export interface SaturdayPlan {
  readonly bookings: readonly PlannedBooking[];
  /** The names of those who sign at the desk and belong to no booking. */
  readonly walkIns: readonly string[];
}

const firstNames = ['Zoë', 'Łukasz', 'Ægir', 'Inês', 'Мария', 'ליאור', 'さくら', 'Noël', 'Ann', 'José'];
const lastNames = ['Bäcker', 'Żak', 'Þórsson', 'Duarte', 'Иванова', 'כהן', '佐藤', "O'Neil", 'Lee', 'Núñez'];

const nameOf = (place: number) =>
  `${firstNames[place % firstNames.length]} ${lastNames[Math.floor(place / firstNames.length) % lastNames.length]} ${place}`;

const uuidOf = (place: number, kind: string) =>
  `${place.toString(16).padStart(8, '0')}-${kind}-4000-8000-000000000000`;

/** OCTO's ids are UUIDs, FareHarbor's guests have numbers. */
function idsOf(system: SystemName, booking: number) {
  const isContract = system === 'standard' || system === 'standard-query';
  return {
    booking: isContract ? `B${booking}` : uuidOf(booking, 'b000'),
    guest(place: number) {
      if (isContract) return `g${place}`;
      return system === 'octo'
        ? uuidOf(booking * 100 + place, 'a000')
        : String(900_000 + booking * 100 + place);
    },
  };
}

/** Of twenty guests who are in no family: 12 on phones, 5 at kiosks, 2 returning, 1 attached by staff. */
const ways: readonly Exclude<SigningWay, 'family'>[] = [
  ...Array<'phone'>(12).fill('phone'),
  'kiosk',
  'kiosk-offline',
  'kiosk',
  'kiosk-offline',
  'kiosk',
  'returning',
  'returning',
  'attached',
];

function fateOf(booking: number): BookingFate {
  if (booking % 15 === 7) return 'moves';
  return booking % 30 === 11 ? 'is-cancelled' : 'stays';
}

function guestsOf(system: SystemName, booking: number): readonly PlannedGuest[] {
  const { guest: idOf } = idsOf(system, booking);
  // A family signs together: a booking in ten is one.
  const isFamily = booking % 10 === 0;
  return Array.from({ length: 6 + (booking % 2) }, (_, place): PlannedGuest => {
    const number = booking * 7 + place;
    const isChild = isFamily && place > 0;
    const drawn = ways[(booking * 13 + place * 3) % ways.length] ?? 'phone';
    // FareHarbor's guests have no address by which they could be known again.
    const way = drawn === 'returning' && system === 'fareharbor' ? 'phone' : drawn;
    return {
      id: idOf(place + 1),
      name: nameOf(number),
      email: `guest${number}@example.com`,
      born: isChild ? `201${place}-05-0${place}` : '1988-02-29',
      way: isFamily ? 'family' : way,
    };
  });
}

/** Plans a Saturday of so many bookings, with six and a half guests each; one person more for every forty is a walk-in. */
export function planSaturday(bookings: number): SaturdayPlan {
  const planned = Array.from({ length: bookings }, (_, place): PlannedBooking => {
    const system = systemNames[place % systemNames.length] ?? 'standard';
    return {
      system,
      id: idsOf(system, place).booking,
      hour: 8 + (place % 10),
      guests: guestsOf(system, place),
      fate: fateOf(place),
      note: `Note of staff ${place}`,
    };
  });
  const walkIns = Array.from({ length: Math.ceil(bookings / 6) }, (_, place) => `Walk-In ${place}`);
  return { bookings: planned, walkIns };
}
