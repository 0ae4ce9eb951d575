import { bookingSchema, InvalidBookingResponse, isBookingSystemError } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import { detectForm, Reading, readBooking, readCurrentBooking, readLegacyBooking } from '../src/index.ts';
import { isTooDeep } from '../src/reading/json.ts';
import { currentBody, legacyBody } from './bookings.ts';

function issuesOf(body: unknown) {
  try {
    readBooking(body);
  } catch (error) {
    if (error instanceof InvalidBookingResponse) return error;
    throw error;
  }
  throw new Error('it was read');
}
const codesAndPaths = (body: unknown) =>
  readBooking(body).warnings.map(({ code, path }) => `${code} ${path}`);

describe('a body that conforms exactly', () => {
  test('is read unchanged in the current form, with unknown fields at every level, without a warning', () => {
    expect(readBooking(currentBody())).toEqual({ form: 'current', booking: currentBody(), warnings: [] });
  });

  test('yields the same booking in the legacy form, without a warning', () => {
    expect(readBooking(legacyBody())).toEqual({ form: 'legacy', booking: currentBody(), warnings: [] });
  });

  test('is not mutated', () => {
    const body = { ...legacyBody(), pax: '2' };
    const before = structuredClone(body);
    readBooking(body);
    expect(body).toEqual(before);
  });
});

describe('form detection', () => {
  const { bookedSessions, ...neither } = currentBody();
  test.each([
    ['bookedSessions', { bookedSessions }, 'current'],
    ['bookedSessions and the legacy elements', { bookedSessions, startsAt: 'x', activities: [] }, 'current'],
    ['activities', { activities: [] }, 'legacy'],
    ['startsAt', { startsAt: '2026-05-01T09:30:00Z' }, 'legacy'],
    ['startsAt, and bookedSessions null', { startsAt: 'x', bookedSessions: null }, 'legacy'],
    ['only endsAt', { endsAt: 'x' }, undefined],
    ['nothing', {}, undefined],
  ])('%s', (_what, fields, form) => {
    expect(detectForm({ ...neither, ...fields })).toBe(form);
  });

  test('both forms: the current one wins, with a warning, and the legacy fields are kept', () => {
    const body = {
      ...currentBody(),
      startsAt: '2020-01-01T00:00:00Z',
      activities: [{ activity: 'Other', activityId: 'o' }],
    };
    const { form, booking, warnings } = readBooking(body);
    expect(form).toBe('current');
    expect(booking).toEqual(body);
    expect(warnings).toMatchObject([{ code: 'both_forms' }]);
  });

  test('neither form: the error describes the body', () => {
    const error = issuesOf({ success: true, data: {}, bookedSessions: null });
    expect(error.message).toContain(
      'neither bookedSessions (current form) nor activities or startsAt (legacy form)',
    );
    expect(error.message).toContain('"success", "data", "bookedSessions" (null)');
  });
});

describe('the legacy form', () => {
  const { activities: _activities, ...without } = legacyBody();

  test('yields one session per activity, at the booking’s times', () => {
    const activities = [
      { activity: 'Kayak', activityId: 'k' },
      { activity: 'Sauna', activityId: 's' },
    ];
    const times = { startsAt: '2026-05-01T09:30:00Z', endsAt: '2026-05-01T11:00:00.500Z' };
    const { booking } = readLegacyBooking({ ...without, activities });
    expect(booking.bookedSessions).toEqual([
      { ...times, activityId: 'k', activityName: 'Kayak' },
      { ...times, activityId: 's', activityName: 'Sauna' },
    ]);
    for (const gone of ['activities', 'startsAt', 'endsAt']) expect(booking).not.toHaveProperty(gone);
  });

  test('reads null in place of activities, or of the other form’s sessions, as absent, with a warning for each', () => {
    const absent = 'session_incomplete activities';
    expect(codesAndPaths({ ...without, activities: null })).toEqual(['null_as_absent activities', absent]);
    expect(codesAndPaths({ ...without, activities: [] })).toEqual([absent]);
    expect(codesAndPaths(without)).toEqual([absent]);
    expect(codesAndPaths({ ...legacyBody(), bookedSessions: null })).toEqual([
      'null_as_absent bookedSessions',
    ]);
  });

  test('refuses activities that are no list of objects', () => {
    expect(issuesOf({ ...without, activities: 'kayak' }).issues).toContainEqual({
      path: 'activities',
      message: 'is a text where a list must be',
    });
    expect(issuesOf({ ...without, activities: [{ activity: 'Kayak', activityId: 'k' }, 7] }).issues).toEqual([
      { path: 'activities[1]', message: 'is a number where an object must be' },
    ]);
  });

  test('ignores an end in an implausible year, with a warning, but refuses such a start', () => {
    const placeholder = '0001-01-01T00:00:00+02:00';
    expect(codesAndPaths({ ...legacyBody(), endsAt: placeholder })).toEqual([
      'value_ignored endsAt',
      'session_incomplete endsAt',
    ]);
    expect(issuesOf({ ...legacyBody(), startsAt: placeholder }).issues).toMatchObject([
      { path: 'startsAt', message: expect.stringContaining('not from the year 1900 to 2199') },
    ]);
  });

  test('without endsAt is read, with a warning', () => {
    const { endsAt: _endsAt, ...rest } = legacyBody();
    expect(codesAndPaths(rest)).toEqual(['session_incomplete endsAt']);
  });

  test('warns of an activity’s own times, which are ignored', () => {
    const activities = [{ activity: 'Kayak', activityId: 'k', startsAt: '2030-01-01T00:00:00Z' }];
    const { booking, warnings } = readLegacyBooking({ ...without, activities });
    expect(booking.bookedSessions[0]?.startsAt).toBe('2026-05-01T09:30:00Z');
    expect(warnings).toMatchObject([{ code: 'value_ignored', path: 'activities[0].startsAt' }]);
  });
});

describe('a guest’s id', () => {
  test.each([
    [{ id: '' }, 'guests[0].id'],
    [{ guestId: '' }, 'guests[0].guestId'],
    [{ id: '', guestId: '' }, 'guests[0].id'],
  ])('that is empty (%j) is ignored, with a warning', (ids, path) => {
    const body = { ...legacyBody(), guests: [{ ...ids, name: 'Ann' }] };
    expect(codesAndPaths(body)).toEqual([`value_ignored ${path}`]);
    expect(readLegacyBooking(body).booking.guests).toEqual([{ name: 'Ann' }]);
  });

  test.each([
    [{ id: 'a', name: 'N' }, 'a', []],
    [{ guestId: 'b', name: 'N' }, 'b', []],
    [{ id: null, guestId: 'b', name: 'N' }, 'b', ['null_as_absent guests[0].id']],
    [{ id: 'a', guestId: 'a', name: 'N' }, 'a', []],
    [{ id: 'a', guestId: 'b', name: 'N' }, 'a', ['value_ignored guests[0].guestId']],
    [{ guestId: 17, name: 'N' }, '17', ['number_as_string guests[0].guestId']],
    [{ id: '', name: 'N' }, undefined, ['value_ignored guests[0].id']],
    [{ name: 'N' }, undefined, []],
  ])('of %j is %s, in either form', (guest, id, warnings) => {
    for (const body of [currentBody(), legacyBody()]) {
      const withGuest = { ...body, guests: [guest] };
      expect(readBooking(withGuest).booking.guests[0]?.id).toBe(id);
      expect(codesAndPaths(withGuest)).toEqual(warnings);
    }
  });
});

describe('tolerated deviations, each with a warning', () => {
  test.each([
    ['a number for the status', { status: 3 }, { status: '3' }, ['number_as_string status']],
    [
      'guests without a name',
      { guests: [{ id: 'a' }, { id: 'b', name: null, age: 4 }, { id: 'c', name: ' ' }] },
      { guests: [{ id: 'a' }, { id: 'b', age: 4 }, { id: 'c' }] },
      ['null_as_absent guests[1].name', 'guest_without_name guests'],
    ],
    [
      'a session with only a start',
      { bookedSessions: [{ startsAt: '2026-05-01T09:30:00Z', endsAt: null }] },
      { bookedSessions: [{ startsAt: '2026-05-01T09:30:00Z' }] },
      [
        'null_as_absent bookedSessions[0].endsAt',
        'session_incomplete bookedSessions[0].endsAt',
        'session_incomplete bookedSessions[0].activityId',
        'session_incomplete bookedSessions[0].activityName',
      ],
    ],
    [
      'a statusGroup that is not ours',
      { statusGroup: 7 },
      { statusGroup: undefined },
      ['value_ignored statusGroup'],
    ],
  ])('%s', (_what, fields, expected, warnings) => {
    const { booking } = readCurrentBooking({ ...currentBody(), ...fields });
    expect(booking).toEqual({ ...currentBody(), ...expected });
    expect(codesAndPaths({ ...currentBody(), ...fields })).toEqual(warnings);
    expect(bookingSchema.safeParse(booking).success).toBe(true);
  });
});

describe('fatal deviations, which name the field', () => {
  const session = currentBody().bookedSessions[0];
  const faults: [fields: object, path: string, what: string][] = [
    [{ id: undefined }, 'id', 'is missing'],
    [{ guests: null }, 'guests', 'is null'],
    [{ id: '' }, 'id', 'is empty'],
    [{ id: {} }, 'id', 'is an object'],
    [{ id: 2 ** 60 }, 'id', 'digits were lost'],
    [{ id: Number.POSITIVE_INFINITY }, 'id', 'digits were lost'],
    [{ status: true }, 'status', 'is a boolean'],
    [{ contact: 'Ada' }, 'contact', 'is a text'],
    [{ pax: 'two' }, 'pax', '"two"'],
    [{ pax: '99999999999999999999' }, 'pax', 'whole number'],
    [{ guests: [{ name: 'A' }, { name: 'B', id: 2 ** 60 }] }, 'guests[1].id', 'digits were lost'],
    [{ bookedSessions: [] }, 'bookedSessions', 'is an empty list'],
    [{ bookedSessions: {} }, 'bookedSessions', 'is an object'],
    [{ bookedSessions: ['x'] }, 'bookedSessions[0]', 'is a text'],
    [
      { bookedSessions: [{ ...session, startsAt: '2026-05-01T09:30:00' }] },
      'bookedSessions[0].startsAt',
      'no time zone',
    ],
    [
      { bookedSessions: [{ ...session, endsAt: '2026-02-30T09:30:00Z' }] },
      'bookedSessions[0].endsAt',
      'not an ISO 8601',
    ],
    [{ bookedSessions: [{ ...session, endsAt: 'tomorrow' }] }, 'bookedSessions[0].endsAt', '"tomorrow"'],
  ];
  test.each(faults)('%j', (fields, path, problem) => {
    const error = issuesOf({ ...currentBody(), ...fields });
    expect(error.issues).toHaveLength(1);
    expect(error.issues[0]).toMatchObject({ path, message: expect.stringContaining(problem) });
    expect(error.message).toContain(path);
  });

  test('all are reported at once', () => {
    expect(issuesOf({ bookedSessions: [{}] }).issues.map(({ path }) => path)).toEqual([
      'bookedSessions[0].startsAt',
      'id',
      'status',
      'contact',
      'pax',
      'guests',
    ]);
  });
});

describe('limits', () => {
  test('a body nested too deeply to be serialized again is refused', () => {
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    expect(issuesOf({ ...currentBody(), extra: nested(200_000) }).issues).toEqual([
      { path: 'extra', message: 'is nested too deeply' },
    ]);
    expect(readBooking({ ...currentBody(), extra: nested(90) }).warnings).toEqual([]);
    const activities = [{ activity: 'Kayak', activityId: 'k', extra: nested(200_000) }];
    expect(issuesOf({ ...legacyBody(), activities }).issues).toEqual([
      { path: 'activities', message: 'is nested too deeply' },
    ]);
  });

  test('an id that cannot become a text is no error', () => {
    const guests = [{ id: 'g-1', guestId: { toString: null, valueOf: 1 } }];
    expect(readBooking({ ...currentBody(), guests }).booking.guests).toEqual(guests);
  });

  test('a field named __proto__ is an ordinary field', () => {
    const body = JSON.parse(
      JSON.stringify({ ...legacyBody(), guests: [] }).replace(
        '"guests":[]',
        '"guests":[{"guestId":"g","__proto__":{"name":"Mallory"}}],"__proto__":{"x":1}',
      ),
    );
    const { booking } = readBooking(body);
    expect(booking.guests[0]?.name).toBeUndefined();
    expect(Object.hasOwn(booking, '__proto__')).toBe(true);
    expect(isBookingSystemError(booking)).toBe(false);
  });
});

const sessions = [
  {
    startsAt: '2027-06-12T07:30:00Z',
    endsAt: '2027-06-12T08:30:00Z',
    activityId: 'a',
    activityName: 'Rafting',
  },
];
const body = {
  id: 'B1',
  status: 'Active',
  contact: { name: 'Jürgen' },
  pax: 2,
  guests: [
    { id: 'g1', name: 'Ann' },
    { id: 'g2', name: 'Bo' },
  ],
  bookedSessions: sessions,
};
const lostIn = (booking: object) =>
  readBooking(booking).warnings.filter(({ code }) => code === 'characters_lost');

test('characters that could not be decoded are a warning that names the first place and counts the others', () => {
  expect(lostIn(body)).toEqual([]);
  expect(lostIn({ ...body, contact: { name: 'J\uFFFDrgen' } })).toMatchObject([
    { path: 'contact.name', message: expect.stringMatching(/^a text has .*UTF-8/) },
  ]);
  const guests = [
    { id: 'g1', name: 'Ann' },
    { id: 'g2', name: '\uFFFD', custom: { deep: ['ok', '\uFFFD'] } },
  ];
  expect(lostIn({ ...body, guests })).toMatchObject([
    { path: 'guests[1].name', message: expect.stringMatching(/^2 texts have/) },
  ]);
});

test('the legacy form warns alike', () => {
  const { bookedSessions, ...others } = body;
  const legacy = {
    ...others,
    startsAt: '2027-06-12T07:30:00Z',
    endsAt: '2027-06-12T08:30:00Z',
    activities: [{ activity: 'Caf\uFFFD', activityId: 'a' }],
    guests: [{ guestId: 'g1', name: 'Ann' }],
  };
  expect(lostIn(legacy)).toHaveLength(1);
});

function refusalOf(call: () => unknown): InvalidBookingResponse {
  try {
    call();
  } catch (error) {
    if (error instanceof InvalidBookingResponse) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the report on one response', () => {
  const noting = (warnings: number, issues: number) => {
    const reading = new Reading();
    for (let count = 0; count < warnings; count += 1) reading.warn('value_ignored', `w${count}`, 'ignored');
    for (let count = 0; count < issues; count += 1) reading.refuse(`i${count}`, 'is missing');
    return reading;
  };

  test('lists 1,000 warnings in order, then counts the rest', () => {
    const whole = noting(1000, 0).warnings;
    expect(whole).toHaveLength(1000);
    expect(whole[0]).toEqual({ code: 'value_ignored', path: 'w0', message: 'ignored' });
    expect(whole.at(-1)?.path).toBe('w999');
    const cut = noting(1003, 0).warnings;
    expect(cut).toHaveLength(1001);
    expect(cut.at(-1)).toEqual({ code: 'warnings_left_out', message: '3 more warnings are not listed' });
  });

  test('lists 20 issues in order, then counts the rest', () => {
    const whole = refusalOf(() => noting(0, 20).throwIfRefused());
    expect(whole.issues).toHaveLength(20);
    expect(whole.message).toMatch(/^the answer is not a booking: i0 is missing; .*; i19 is missing$/);
    const cut = refusalOf(() => noting(0, 23).throwIfRefused());
    expect(cut.issues).toHaveLength(20);
    expect(cut.message).toMatch(/^the answer is not a booking \(3 more are not listed\): /);
    expect(() => noting(1, 0).throwIfRefused()).not.toThrow();
  });

  test('has a path if one is known', () => {
    const reading = new Reading();
    reading.warn('value_ignored', undefined, 'ignored');
    expect(reading.warnings).toStrictEqual([{ code: 'value_ignored', message: 'ignored' }]);
  });
});

describe('a response in neither form', () => {
  const fieldsOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_none, index) => [`f${index}`, index]));
  const messageOf = (body: object) => refusalOf(() => readBooking(body)).message;

  test('is described by at most twenty of its fields', () => {
    expect(messageOf({})).toMatch(/what it has is no fields at all$/);
    expect(messageOf({ id: 1, activities: null })).toMatch(/what it has is "id", "activities" \(null\)$/);
    expect(messageOf(fieldsOf(20))).toMatch(/"f18", "f19"$/);
    expect(messageOf(fieldsOf(21))).toMatch(/"f18", "f19", …$/);
  });
});

describe('nesting', () => {
  const lists = (depth: number): unknown => (depth === 0 ? 1 : [lists(depth - 1)]);
  const objects = (depth: number): unknown => (depth === 0 ? 1 : { before: 1, a: objects(depth - 1) });

  test('of 100 levels is read, in lists as in objects; one more is not', () => {
    for (const nested of [lists, objects]) {
      expect(isTooDeep(nested(100))).toBe(false);
      expect(isTooDeep(nested(101))).toBe(true);
    }
    for (const plain of [undefined, null, 1, 'x', {}, []]) expect(isTooDeep(plain)).toBe(false);
  });

  test('is reported for its field, along with other issues', () => {
    const error = refusalOf(() => readBooking({ ...currentBody(), extra: lists(101), pax: 'two' }));
    expect(error.issues.map(({ path }) => path)).toEqual(['extra', 'pax']);
    expect(readBooking({ ...currentBody(), extra: lists(100) }).warnings).toEqual([]);
  });
});
