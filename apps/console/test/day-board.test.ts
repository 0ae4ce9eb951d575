import { describe, expect, test } from 'vitest';
import type { Day, DayBooking, DayGuest, WalkIn } from '../src/api/resources.ts';
import {
  bookingChoice,
  chosenBooking,
  chosenWaivers,
  proposedChoices,
} from '../src/pages/day-board/attach-dialog.tsx';
import { keysOfGuest, keysOfTick, withTicks } from '../src/pages/day-board/day-query.ts';
import {
  codesIn,
  type DayFilter,
  filterDay,
  firstGroups,
  tokenIn,
} from '../src/pages/day-board/filter-day.ts';

const at = { at: '2027-06-12T08:00:00.000Z', by: 'Front desk' };

const guest = (name: string, change: Partial<DayGuest> = {}): DayGuest => ({
  key: `guest:${name}`,
  kind: 'listed',
  name,
  state: 'missing',
  flags: [],
  arrival: null,
  ...change,
});

const booking = (
  bookingId: string,
  guests: DayGuest[] | null,
  change: Partial<DayBooking> = {},
): DayBooking => ({
  bookingSystem: 'standard',
  bookingId,
  reference: bookingId,
  status: 'Active',
  statusGroup: null,
  isCancelled: false,
  booker: null,
  notes: null,
  sessions: [],
  guests,
  signed: 0,
  expected: guests?.length ?? 2,
  arrived: guests?.filter(({ arrival }) => arrival !== null).length ?? 0,
  fetchedAt: at.at,
  ...change,
});

const zoe = guest('Zoë Bäcker', { state: 'signed', flags: ['Asks for help with steps'] });
const noah = guest('Noah Becker', { arrival: at });
const walkIn: WalkIn = {
  key: 'waiver:w1',
  waiverId: 'w1',
  name: 'Ida Østby',
  state: 'signed',
  flags: [],
  arrival: null,
  signedAt: at.at,
  signing: null,
};

const day: Day = {
  pool: 'rafting',
  date: '2027-06-12',
  timeZone: 'Europe/Berlin',
  today: '2027-06-12',
  hasForm: true,
  counts: { bookings: 3, guests: 5, signed: 2, missing: 3, arrived: 1 },
  groups: [
    { startsAt: '2027-06-12T08:00:00Z', activityName: 'Rafting', bookings: [0, 1] },
    { startsAt: '2027-06-12T12:00:00Z', activityName: 'Kayak', bookings: [0, 2] },
  ],
  bookings: [
    booking('BK-1', [zoe, noah], { booker: 'Ann Booker' }),
    booking('BK-2', [guest('Łukasz')]),
    booking('BK/3', []),
  ],
  walkIns: [walkIn],
  isCut: false,
  sources: [],
};

const everyone: DayFilter = { show: undefined, activity: undefined, text: '', booking: undefined };

/** The shown bookings with their guests, and the walk-ins. */
function shown(filter: Partial<DayFilter>, of: Day = day): string[] {
  const { groups, walkIns } = filterDay(of, { ...everyone, ...filter });
  return [
    ...groups.flatMap(({ activity, bookings }) =>
      bookings.map(
        ({ booking: { bookingId }, guestKeys }) =>
          `${activity} ${bookingId} ${guestKeys?.replaceAll('guest:', '').replaceAll('\n', ', ') ?? 'all'}`,
      ),
    ),
    ...walkIns.map(({ name }) => `${name}`),
  ];
}

describe('a day is narrowed', () => {
  test.each<[Partial<DayFilter>, string[]]>([
    [{}, ['Rafting BK-1 all', 'Rafting BK-2 all', 'Kayak BK-1 all', 'Kayak BK/3 all', 'Ida Østby']],
    [{ activity: 'Kayak' }, ['Kayak BK-1 all', 'Kayak BK/3 all']],
    [{ show: 'missing' }, ['Rafting BK-1 Noah Becker', 'Rafting BK-2 all', 'Kayak BK-1 Noah Becker']],
    [
      { show: 'not-arrived' },
      ['Rafting BK-1 Zoë Bäcker', 'Rafting BK-2 all', 'Kayak BK-1 Zoë Bäcker', 'Ida Østby'],
    ],
    [{ show: 'flags' }, ['Rafting BK-1 Zoë Bäcker', 'Kayak BK-1 Zoë Bäcker']],
    [{ text: ' BACKER zoe ' }, ['Rafting BK-1 Zoë Bäcker', 'Kayak BK-1 Zoë Bäcker']],
    [{ text: 'booker' }, ['Rafting BK-1 all', 'Kayak BK-1 all']],
    [{ text: 'bk-2' }, ['Rafting BK-2 all']],
    [{ text: 'https://example.com/t/BK%2F3?x=1' }, ['Kayak BK/3 all']],
    [{ text: 'booker', show: 'flags' }, ['Rafting BK-1 Zoë Bäcker', 'Kayak BK-1 Zoë Bäcker']],
    [{ text: 'bk/3', show: 'missing' }, []],
    [{ text: 'ida' }, ['Ida Østby']],
    [{ booking: { bookingSystem: 'standard', bookingId: 'BK-2' } }, ['Rafting BK-2 all']],
    [{ booking: { bookingSystem: 'bookeo', bookingId: 'BK-2' } }, []],
  ])('by %j', (filter, expected) => {
    expect(shown(filter)).toEqual(expected);
  });

  test('for a viewer, who sees no guests, by how many have signed and arrived', () => {
    const viewed = {
      ...day,
      walkIns: null,
      bookings: [
        booking('BK-1', null, { signed: 2, arrived: 1 }),
        booking('BK-2', null, { signed: 1, arrived: 2 }),
        booking('BK/3', null, { signed: 2, arrived: 2 }),
      ],
    };
    expect(shown({ show: 'missing' }, viewed)).toEqual(['Rafting BK-2 all']);
    expect(shown({ show: 'not-arrived' }, viewed)).toEqual(['Rafting BK-1 all', 'Kayak BK-1 all']);
    expect(shown({ text: 'bk-1' }, viewed)).toEqual(['Rafting BK-1 all', 'Kayak BK-1 all']);
  });

  test('at first to a few bookings', () => {
    const { groups } = filterDay(day, everyone);
    const sizes = (max: number) => firstGroups(groups, max).map(({ bookings }) => bookings.length);
    expect([sizes(1), sizes(3), sizes(0), sizes(Number.POSITIVE_INFINITY)]).toEqual([
      [1],
      [2, 1],
      [],
      [2, 2],
    ]);
  });
});

test('a scanned text has the token of a link, or codes of bookings', () => {
  const token = `wsg_${'aB3-_'.repeat(8)}`;
  expect(tokenIn(`https://waivers.example.com/check-in/${token}`)).toBe(token);
  expect(tokenIn('wsg_short')).toBeUndefined();
  expect([...codesIn(' BK-1 ')]).toEqual(['bk-1']);
  expect(codesIn('HTTPS://x.example/a/b%20c?code=BK-1#e%ZZ')).toEqual(
    new Set([
      'https://x.example/a/b%20c?code=bk-1#e%zz',
      'https:',
      'x.example',
      'a',
      'b c',
      'code',
      'bk-1',
      'e%zz',
    ]),
  );
});

describe('a tick', () => {
  const ticks = (key: string, arrived: boolean, of: DayBooking | undefined = day.bookings[0]) =>
    new Map(keysOfTick({ ...day, booking: of, keys: [key], arrived }).map((each) => [each, arrived]));

  test('is shown before it is stored, and changes nothing else', () => {
    const after = withTicks(day, ticks('guest:Zoë Bäcker', true), 'now');
    expect(after.counts.arrived).toBe(2);
    expect(after.bookings[0]).toMatchObject({ arrived: 2, guests: [{ arrival: { at: 'now' } }, noah] });
    expect(after.bookings[1]).toBe(day.bookings[1]);
    expect(after.bookings[0]?.guests?.[1]).toBe(noah);
  });

  test('is taken back, counts for walk-ins, and is gone once the day says the same', () => {
    expect(withTicks(day, ticks('guest:Noah Becker', false)).counts.arrived).toBe(0);
    const ofWalkIn = keysOfTick({ ...day, booking: undefined, keys: ['waiver:w1'], arrived: true });
    const walked = withTicks(day, new Map(ofWalkIn.map((each) => [each, true])));
    expect([walked.counts.arrived, walked.walkIns?.[0]?.arrival?.by]).toEqual([2, '']);
    expect(withTicks(day, ticks('guest:Noah Becker', true)).bookings[0]).toBe(day.bookings[0]);
    expect(withTicks(day, new Map())).toBe(day);
  });

  test('shows on its own day and in its own pool only', () => {
    for (const other of [
      { ...day, date: '2027-06-13' },
      { ...day, pool: 'q' },
    ])
      expect(withTicks(other, ticks('guest:Zoë Bäcker', true)).counts.arrived).toBe(1);
  });

  test('is taken back under each key by which the guest may have been ticked', () => {
    expect(keysOfGuest({ key: 'guest:g1' })).toEqual(['guest:g1']);
    expect(keysOfGuest({ key: 'guest:g1', waiverId: 'w1' })).toEqual(['guest:g1', 'waiver:w1']);
    expect(keysOfGuest({ key: 'waiver:w1', waiverId: 'w1', placeKey: 'place:2' })).toEqual([
      'waiver:w1',
      'place:2',
    ]);
  });

  test('of a cancelled booking does not count, however its booking system says so', () => {
    const cancelled = {
      ...day,
      bookings: [booking('BK-1', [zoe], { status: 'Cancelled', isCancelled: true })],
    };
    expect(withTicks(cancelled, ticks('guest:Zoë Bäcker', true)).counts.arrived).toBe(1);
  });
});

const freeGuests = [
  { id: 'g1', name: 'Ann' },
  { id: 'g2', name: 'ida ' },
  { id: 'g3', name: undefined },
];

const waiversOf = (...names: string[]) => names.map((name, index) => ({ id: `w${index}`, name }));

test('waivers are proposed for guests of the same name', () => {
  const waivers = waiversOf('Ida', '\u00a0ANN', 'Bob');
  const choices = proposedChoices(waivers, freeGuests);
  expect(choices).toEqual({ w0: 'guest:g2', w1: 'guest:g1', w2: 'none' });
  expect(chosenWaivers(waivers, { ...choices, w2: 'leave' })).toEqual([
    { id: 'w0', bookingGuestId: 'g2' },
    { id: 'w1', bookingGuestId: 'g1' },
  ]);
});

test('no guest is proposed if another guest or another waiver has the same name', () => {
  expect(proposedChoices(waiversOf('Ann', 'ann'), freeGuests)).toEqual({ w0: 'none', w1: 'none' });
  expect(proposedChoices(waiversOf('Ann'), [...freeGuests, { id: 'g4', name: 'ANN' }])).toEqual({
    w0: 'none',
  });
});

test('a chosen booking stays chosen wherever the list has it, and is not replaced once it has gone', () => {
  const [first, second] = ['BK-1', 'BK-2'].map((bookingId) => ({ bookingSystem: 'standard', bookingId }));
  if (first === undefined || second === undefined) throw new Error('there are no bookings');
  const choice = bookingChoice(second);
  expect(chosenBooking([first, second], choice)).toEqual({ choice, booking: second });
  expect(chosenBooking([second], choice)).toEqual({ choice, booking: second });
  expect(chosenBooking([{ ...second, bookingSystem: 'octo' }], choice)).toEqual({ choice: '' });
  expect(chosenBooking([], choice)).toEqual({ choice: 'other' });
  expect(chosenBooking([second], 'other')).toEqual({ choice: 'other' });
});
