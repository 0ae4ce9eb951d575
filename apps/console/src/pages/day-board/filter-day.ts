import type { ShownGuests } from '../../api/choices.ts';
import type { Day, DayBooking, DayGuest, WalkIn } from '../../api/resources.ts';

export interface DayFilter {
  readonly show: ShownGuests | undefined;
  readonly activity: string | undefined;
  /** Part of a name, or a booking's code, possibly inside a scanned URL. */
  readonly text: string;
  /** The booking of a scanned link. */
  readonly booking: Pick<DayBooking, 'bookingSystem' | 'bookingId'> | undefined;
}

/** A booking under one of its sessions. */
interface ShownBooking {
  readonly booking: DayBooking;
  /** The keys of the guests to show, one per line; undefined for all. A string, so that `memo` can compare it. */
  readonly guestKeys: string | undefined;
}

export interface ShownGroup {
  readonly startsAt: string;
  readonly endsAt: string | undefined;
  /** Undefined if unknown. */
  readonly activity: string | undefined;
  readonly bookings: readonly ShownBooking[];
}

interface ShownDay {
  readonly groups: readonly ShownGroup[];
  readonly walkIns: readonly WalkIn[];
}

type Person = Pick<DayGuest, 'name' | 'state' | 'flags' | 'arrival'>;
type Group = Day['groups'][number];

/** Lowercase without diacritics, so that "Zoe" finds "Zoë". */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();

/** The token of a check-in link within a text, such as a scanned code. */
export const tokenIn = (text: string): string | undefined => /wsg_[\w-]{20,}/.exec(text)?.[0];

/** The parts of a text that may be a booking's code: all of it and, of a scanned URL, each component. */
export function codesIn(text: string): ReadonlySet<string> {
  const whole = text.trim();
  const parts = /^https?:\/\//i.test(whole) ? whole.split(/[/?&=#]+/) : [];
  const decoded = parts.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return new Set([whole, ...decoded].filter((part) => part !== '').map(plain));
}

const isShown: Readonly<Record<ShownGuests, (person: Person) => boolean>> = {
  missing: ({ state }) => state !== 'signed',
  'not-arrived': ({ arrival }) => arrival === null,
  flags: ({ flags }) => flags.length > 0,
};

/** Whether any guest passes the filter, by the booking's counts: viewers do not get its guests. */
function hasShown({ signed, expected, arrived }: DayBooking, show: ShownGuests): boolean {
  if (show === 'missing') return signed < expected;
  return show === 'not-arrived' && arrived < expected;
}

const isEmpty = ({ show, activity, text, booking }: DayFilter) =>
  show === undefined && activity === undefined && text.trim() === '' && booking === undefined;

const activityOf = ({ activityName, activityId }: Group): string | undefined => activityName ?? activityId;

export const activitiesOf = ({ groups }: Day): readonly string[] => [
  ...new Set(groups.flatMap((group) => activityOf(group) ?? [])),
];

/** Functions that apply a filter to a booking or walk-in. */
function narrowBookings({ show, text, booking: scanned }: DayFilter) {
  const words = plain(text).split(/\s+/).filter(Boolean);
  const codes = codesIn(text);
  const named = (name: string | null | undefined) => {
    const inside = plain(name ?? '');
    return words.every((word) => inside.includes(word));
  };
  const isWhole = ({ booker, bookingId, reference }: DayBooking) =>
    words.length === 0 ||
    named(booker) ||
    [bookingId, reference].some((id) => codes.has(plain(id)) || named(id));

  const narrow = (booking: DayBooking): ShownBooking | undefined => {
    if (scanned !== undefined) {
      const isScanned =
        booking.bookingId === scanned.bookingId && booking.bookingSystem === scanned.bookingSystem;
      return isScanned ? { booking, guestKeys: undefined } : undefined;
    }
    const isFound = isWhole(booking);
    if (booking.guests === null) {
      const isIn = isFound && (show === undefined || hasShown(booking, show));
      return isIn ? { booking, guestKeys: undefined } : undefined;
    }
    const found = booking.guests.filter(
      (guest) => (isFound || named(guest.name)) && (show === undefined || isShown[show](guest)),
    );
    if (found.length === 0 && !(isFound && show === undefined)) return undefined;
    const isAll = found.length === booking.guests.length;
    return { booking, guestKeys: isAll ? undefined : found.map(({ key }) => key).join('\n') };
  };
  return {
    booking: narrow,
    walkIn: (walkIn: WalkIn) =>
      scanned === undefined && named(walkIn.name) && (show === undefined || isShown[show](walkIn)),
  };
}

/** The groups, bookings and guests of a day that pass a filter. */
export function filterDay(day: Day, filter: DayFilter): ShownDay {
  const narrow = narrowBookings(filter);
  const shown = day.bookings.map((booking) =>
    isEmpty(filter) ? { booking, guestKeys: undefined } : narrow.booking(booking),
  );
  const groups = day.groups.flatMap((group): readonly ShownGroup[] => {
    const activity = activityOf(group);
    if (filter.activity !== undefined && activity !== filter.activity) return [];
    const bookings = group.bookings.flatMap((place) => shown[place] ?? []);
    return bookings.length === 0
      ? []
      : [{ startsAt: group.startsAt, endsAt: group.endsAt, activity, bookings }];
  });
  const walkIns = filter.activity === undefined ? (day.walkIns ?? []).filter(narrow.walkIn) : [];
  return { groups, walkIns };
}

/** The first groups, cut after `max` bookings. */
export function firstGroups(groups: readonly ShownGroup[], max: number): readonly ShownGroup[] {
  let left = max;
  return groups.flatMap((group) => {
    const bookings =
      left >= group.bookings.length ? group.bookings : group.bookings.slice(0, Math.max(0, left));
    left -= bookings.length;
    if (bookings.length === 0) return [];
    return bookings.length === group.bookings.length ? group : { ...group, bookings };
  });
}
