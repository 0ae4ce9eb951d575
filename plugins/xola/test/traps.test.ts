import { noticeOf } from '@waiver-service/contract-suite';
import { describe, expect, test } from 'vitest';
import xola from '../src/index.ts';
import { readOrder } from '../src/read.ts';
import { fixture } from './fixtures.ts';

const id = '64b0c0ffee00000000000001';
const read = (name: string, durationMinutes?: number) => readOrder(fixture(name), id, durationMinutes);
const warningsOf = (name: string) => read(name).warnings.map(({ code, path }) => `${code} ${path}`);
const messageOf = (name: string) => {
  try {
    return JSON.stringify(read(name));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

test('an experience that is not expanded is its id', () => {
  const [item] = Object(fixture('one-item')).items;
  const order = { ...fixture('one-item'), items: [{ ...item, experience: 'e1' }] };
  expect(readOrder(order, id, undefined).booking.bookedSessions).toMatchObject([{ activityId: 'e1' }]);
});

test('guests of every item are there, with their email and phone number', () => {
  const [item] = Object(fixture('one-item')).items;
  const guest = { id: 'g1', email: 'ann@example.com', phoneNumber: '+353 1 555 0101' };
  const others = [{ ...item, quantity: 1, guests: [{ id: 'g2' }] }];
  const order = { ...fixture('one-item'), items: [{ ...item, quantity: 1, guests: [guest] }, ...others] };
  expect(readOrder(order, id, undefined).booking).toMatchObject({ pax: 2, guests: [guest, { id: 'g2' }] });
});

test('only a cancelled order may lack its items', () => {
  const { items: _items, ...order } = Object(fixture('one-item'));
  expect(() => readOrder({ ...order, status: 200 }, id, undefined)).toThrow('items is missing');
});

describe('the end of a session', () => {
  test('is never made up: without the seller’s duration it is a warning', () => {
    expect(read('one-item').booking.bookedSessions).toEqual([
      {
        startsAt: '2027-04-20T07:30:00Z',
        activityId: '64b0c0ffee000000000000e1',
        activityName: 'Sea kayaking',
      },
    ]);
    expect(warningsOf('one-item')).toContain('session_incomplete items[0]');
  });

  test('is on the next day if the session goes past midnight', () => {
    expect(read('two-items-and-notes', 23 * 60).booking.bookedSessions[1]?.endsAt).toBe(
      '2027-04-22T01:00:00Z',
    );
  });

  test('a duration of zero or of more than two weeks is refused at install', () => {
    const account = { accountId: 'a', apiKey: 'k' };
    for (const durationMinutes of [0, -5, 1.5, 20_161, '90', null]) {
      expect(xola.accountSchema.safeParse({ ...account, durationMinutes }).success).toBe(false);
    }
    expect(xola.accountSchema.safeParse({ ...account, durationMinutes: 20_160 }).success).toBe(true);
  });
});

describe('items', () => {
  test('a skipped item is a warning with its path', () => {
    expect(warningsOf('open-dated-item')).toContain('item_skipped items[0]');
    expect(warningsOf('one-item-cancelled')).toContain('item_skipped items[0]');
  });

  test('a count that is invalid or disagrees is reported with its path', () => {
    const [item] = [fixture('one-item').items].flat();
    const withQuantity = (quantity: unknown) =>
      readOrder({ ...fixture('one-item'), items: [{ ...Object(item), quantity }] }, id, 60);
    expect(withQuantity(5).warnings).toContainEqual(
      expect.objectContaining({ code: 'count_disagrees', path: 'items[0].guests' }),
    );
    expect(withQuantity(2).warnings.map(({ code }) => code)).toEqual(['guest_without_name']);
    expect(() => withQuantity('many')).toThrow('items[0].quantity');
  });

  test('an order without an id is refused, naming the field', () => {
    expect(() => readOrder({ ...fixture('one-item'), id: undefined }, id, 60)).toThrow(/\bid\b/);
    expect(readOrder(fixture('one-item'), '77', 60).warnings).toContainEqual(
      expect.objectContaining({ code: 'id_differs', path: 'id' }),
    );
  });

  test('an order without a status has that of a confirmed item, else that of its first item with one', () => {
    const [first, second] = [fixture('two-items-and-notes').items].flat();
    const statusOf = (...statuses: unknown[]) =>
      readOrder(
        {
          ...fixture('two-items-and-notes'),
          items: [
            { ...Object(first), status: statuses[0] },
            { ...Object(second), status: statuses[1] },
          ],
        },
        id,
        60,
      ).booking.status;
    expect(statusOf(103, 201)).toBe('201');
    expect(statusOf(201, 103)).toBe('201');
    expect(statusOf(103, 100)).toBe('103');
    expect(statusOf(null, 103)).toBe('103');
    expect(statusOf(undefined, 201)).toBe('201');
  });

  test('items with a time take precedence for the status', () => {
    const [first, second] = [fixture('two-items-and-notes').items].flat();
    const items = [
      { ...Object(first), arrivalDatetime: null },
      { ...Object(second), status: 103 },
    ];
    const { booking } = readOrder({ ...fixture('two-items-and-notes'), items }, id, 60);
    expect(booking).toMatchObject({ status: '103', bookedSessions: [{ activityName: 'Night walk' }] });
  });

  test('an order without any time is refused with an explanation', () => {
    expect(messageOf('only-open-dated')).toContain('nothing to check in to as yet');
    expect(messageOf('arrival-without-zone')).toContain('items[0].arrivalDatetime');
    expect(messageOf('no-status')).toContain('items[].status');
  });

  const ordered = (orderStatus: unknown, ...itemStatuses: unknown[]) => {
    const { items, ...order } = fixture('two-items-and-notes');
    const [item] = [items].flat();
    const withStatus = itemStatuses.map((status) => ({ ...Object(item), status }));
    const { booking, warnings } = readOrder({ ...order, status: orderStatus, items: withStatus }, id, 60);
    const unknown = warnings.filter(({ code }) => code === 'unknown_status').map(({ path }) => path);
    return [booking.status, booking.statusGroup, ...unknown];
  };

  test.each([
    ['committed', [200], ['200', 'active']],
    ['committed', [100], ['100', 'other']],
    ['committed', [700, 200], ['200', 'active']],
    ['committed', [700], ['700', 'cancelled']],
    ['committed', [310, 700], ['310', 'other', 'status']],
    ['committed', [null], ['committed', 'other', 'status']],
    ['committed', [200, 150], ['200', 'active', 'items[1].status']],
    ['committed', [200, 'held'], ['200', 'active', 'items[1].status']],
    ['committed', [150, 150], ['150', 'other', 'status']],
    ['committed', [200, 310], ['200', 'active']],
    [200, [150], ['200', 'active', 'items[0].status']],
    [700, [150], ['700', 'cancelled']],
    ['confirmed', [200], ['200', 'active', 'status']],
    ['toString', [200], ['200', 'active', 'status']],
    [200, [100], ['200', 'active']],
    ['200', [100], ['200', 'active']],
    [100, [200], ['100', 'other']],
    [200, [700, 200], ['200', 'active']],
    [700, [200], ['700', 'cancelled']],
    [999, [200], ['200', 'active', 'status']],
  ])('an order that is %j with items that are %j is %j', (order, items, expected) => {
    expect(ordered(order, ...items)).toEqual(expected);
  });

  const groupOf = (status: number) => {
    const [item] = [fixture('one-item').items].flat();
    const { items, ...withoutItems } = fixture('one-item');
    const withoutStatus = [items].flat().map((one) => ({ ...Object(one), status: undefined }));
    const ofOrder = readOrder({ ...withoutItems, status, items: withoutStatus }, id, 60).booking;
    const ofItem = readOrder(
      { ...fixture('one-item'), items: [{ ...Object(item), status }] },
      id,
      60,
    ).booking;
    expect([ofOrder.status, ofItem.status]).toEqual([String(status), String(status)]);
    expect(ofItem.statusGroup).toBe(ofOrder.statusGroup);
    return ofOrder.statusGroup;
  };

  test.each([
    [0, 'other'],
    [99, 'other'],
    [100, 'other'],
    [101, 'other'],
    [102, 'other'],
    [103, 'other'],
    [104, 'other'],
    [199, 'other'],
    [200, 'active'],
    [203, 'active'],
    [299, 'active'],
    [300, 'other'],
    [301, 'other'],
    [699, 'other'],
    [700, 'cancelled'],
    [701, 'other'],
  ])('the status %i is %s', (status, group) => {
    expect(groupOf(status)).toBe(group);
  });

  test('every status is grouped as the map says', () => {
    const rows = Object.entries(xola.statusMap ?? {});
    expect(rows).toHaveLength(104);
    for (const [status, group] of rows) expect(groupOf(Number(status)), status).toBe(group);
  });

  test.each([
    [199, true],
    [299, true],
    [300, false],
    [700, false],
    [null, true],
  ])('an item with the status %s is read beside an active one: %s', (status, isShown) => {
    const { items } = fixture('two-items-and-notes');
    const [first, second] = [items].flat();
    const order = { ...fixture('two-items-and-notes'), items: [{ ...Object(first), status }, second] };
    expect(readOrder(order, id, 60).booking.bookedSessions).toHaveLength(isShown ? 2 : 1);
  });
});

describe('a cancelled order', () => {
  const gone = (changes: object) => ({ ...fixture('two-items-and-notes'), status: 700, ...changes });

  test('is read even if its items or their times are missing', () => {
    for (const items of [[], null, undefined]) {
      expect(readOrder(gone({ items }), id, 60).booking).toMatchObject({
        statusGroup: 'cancelled',
        pax: 0,
        guests: [],
        bookedSessions: [],
      });
    }
    const { booking: before } = readOrder(gone({}), id, 60);
    const { items } = fixture('two-items-and-notes');
    const untimed = [items].flat().map((item) => ({ ...Object(item), status: 700, arrivalDatetime: null }));
    const { booking } = readOrder(gone({ items: untimed, status: undefined }), id, 60);
    expect(booking).toEqual({ ...before, bookedSessions: [] });
    expect(before).toMatchObject({ pax: 5, bookedSessions: [expect.anything(), expect.anything()] });
  });

  test('is read whatever the times and quantities of its items are', () => {
    const { items } = fixture('two-items-and-notes');
    const withItems = (changes: object) => [items].flat().map((item) => ({ ...Object(item), ...changes }));
    const { booking: before } = readOrder(gone({}), id, 60);
    for (const arrivalDatetime of ['2027-04-20T02:30:00', 'soon']) {
      const order = gone({ items: withItems({ arrivalDatetime }) });
      expect(readOrder(order, id, 60).booking).toEqual({ ...before, bookedSessions: [] });
      expect(() => readOrder({ ...order, status: 200 }, id, 60)).toThrow('items[0].arrivalDatetime');
    }
    const guests = [{ id: 'g1' }, { id: 'g2' }];
    for (const quantity of [undefined, null, 'many', -1]) {
      const order = gone({ items: withItems({ quantity, guests }) });
      const { booking, warnings } = readOrder(order, id, 60);
      expect(booking).toMatchObject({ statusGroup: 'cancelled', pax: 4 });
      expect(warnings.map(({ code }) => code)).not.toContain('count_disagrees');
      expect(() => readOrder({ ...order, status: 200 }, id, 60)).toThrow('items[0].quantity');
    }
  });

  test('is one whose items were all cancelled one by one, too', () => {
    const { items } = fixture('two-items-and-notes');
    const withStatuses = (...statuses: readonly number[]) => ({
      ...fixture('two-items-and-notes'),
      status: 200,
      items: [items].flat().map((item, index) => ({ ...Object(item), status: statuses[index] })),
    });
    const { booking: before } = readOrder(gone({}), id, 60);
    expect(readOrder(withStatuses(700, 700), id, 60).booking).toEqual(before);
    for (const others of [withStatuses(700, 200), withStatuses(700, 310), withStatuses(310, 310)]) {
      expect(readOrder(others, id, 60).booking).toMatchObject({ status: '200', statusGroup: 'active' });
    }
    const none = { ...withStatuses(), items: [] };
    expect(() => readOrder(none, id, 60)).toThrow('choose a date for it');
  });

  test('is the only kind of order that needs no session', () => {
    const order = { ...fixture('only-open-dated'), status: 200 };
    expect(() => readOrder(order, id, 60)).toThrow('choose a date for it');
    expect(() => readOrder({ ...order, items: [] }, id, 60)).toThrow('choose a date for it');
  });
});

describe('fields of a guest', () => {
  const withGuest = (guest: object, demographics: unknown = undefined) => {
    const [item] = [fixture('one-item').items].flat();
    const items = [{ ...Object(item), quantity: 1, guests: [guest], demographics }];
    return readOrder({ ...fixture('one-item'), items }, id, 60).booking.guests[0];
  };

  test.each([
    [{ label: 'Adults' }, 'adult'],
    [{ label: 'adult' }, 'adult'],
    [{ label: 'ADULT' }, 'adult'],
    [{ label: 'Child' }, 'child'],
    [{ label: 'Children' }, 'child'],
    [{ label: 'Kids' }, 'child'],
    [{ label: 'Senior (65+)' }, 'Senior (65+)'],
    [{ label: 'Kid' }, 'child'],
    [{ label: 'Young adults' }, 'Young adults'],
    [{ label: 'Adults over 65' }, 'Adults over 65'],
    [{ label: 'Grandchild' }, 'Grandchild'],
    [{ label: 'Children under 3' }, 'Children under 3'],
    [{ id: 'adult' }, 'adult'],
    [{ id: '64b0c0ffee000000000000d1x' }, '64b0c0ffee000000000000d1x'],
    [{ id: 'x64b0c0ffee000000000000d1' }, 'x64b0c0ffee000000000000d1'],
    ['Child', 'child'],
  ])('%j becomes the participant type %s', (demographic, participantType) => {
    expect(withGuest({ id: 'g', demographic })).toMatchObject({ participantType });
  });

  test('the label is looked up in the item’s demographics; an id is not a label', () => {
    const demographic = { id: '64b0c0ffee000000000000d1' };
    for (const listed of [
      [{ ...demographic, label: 'Child' }],
      [{ demographic: { ...demographic, label: 'Child' } }],
    ]) {
      expect(withGuest({ id: 'g', demographic }, listed)).toEqual({
        id: 'g',
        demographic: { ...demographic, label: 'Child' },
        participantType: 'child',
      });
    }
    expect(withGuest({ id: 'g', demographic })).toEqual({ id: 'g', demographic });
  });

  test('a guest never gets the label of another demographic, nor of one without an id', () => {
    const demographic = { id: '64b0c0ffee000000000000d1' };
    const others = [{ label: 'Child' }, { id: '64b0c0ffee000000000000d2', label: 'Child' }];
    expect(withGuest({ id: 'g', demographic }, others)).toEqual({ id: 'g', demographic });
    expect(withGuest({ id: 'g' }, others)).toEqual({ id: 'g' });
    expect(withGuest({ id: 'g', demographic: { minAge: 18 } }, others)).toEqual({
      id: 'g',
      demographic: { minAge: 18 },
    });
  });

  test('scalar values are kept by Xola’s names, including a name if there is one', () => {
    const guest = {
      id: 7,
      ticketCode: 'T-9',
      weightKg: 71.5,
      checkedIn: true,
      name: ' Ada ',
      email: null,
      phoneNumber: {},
      deep: [[]],
    };
    expect(withGuest(guest)).toEqual({
      id: '7',
      ticketCode: 'T-9',
      weightKg: 71.5,
      checkedIn: true,
      name: 'Ada',
    });
  });

  test('200 guests without a name are one warning', () => {
    const [item] = [fixture('one-item').items].flat();
    const guests = Array.from({ length: 200 }, (_none, index) => ({ id: `g${index}` }));
    const items = [{ ...Object(item), quantity: 200, guests }];
    const { warnings } = readOrder({ ...fixture('one-item'), items }, id, 60);
    expect(warnings.map(({ code }) => code)).toEqual(['guest_without_name']);
  });
});

describe('settings', () => {
  test('the plugin has Xola’s address and declares neither Guest Updates nor voids', () => {
    const settings = xola.settingsSchema.parse({});
    expect(xola.url?.({ settings, account, purpose: 'read' })).toBe('https://xola.com/api');
    expect(xola.capabilities).toMatchObject({ guestUpdate: false, takes: [], void: false });
  });

  const account = xola.accountSchema.parse({ accountId: 1, apiKey: 'k' });
  const versionOf = (settings: object) =>
    xola.headers({ settings: xola.settingsSchema.parse(settings), account, purpose: 'read' })[
      'X-API-VERSION'
    ];

  test('a version is always sent; the setting overrides the default', () => {
    expect(versionOf({})).toBe('2020-05-04');
    expect(versionOf({ apiVersion: '2021-03-10' })).toBe('2021-03-10');
  });

  test('a version without items is refused with a reason', () => {
    expect(versionOf({ apiVersion: '2017-09-28' })).toBe('2017-09-28');
    expect(() => versionOf({ apiVersion: '2017-09-27' })).toThrow('2017-09-28 or later');
    for (const apiVersion of ['latest', 'v2020-05-04', '2020-05-04-beta']) {
      expect(() => versionOf({ apiVersion })).toThrow('a version such as 2020-05-04');
    }
  });
});

describe('webhooks', () => {
  test.each([undefined, null, 'order.update', []])('%j is refused', (body) => {
    expect(() => noticeOf(xola, { body })).toThrow();
  });

  test.each([
    {},
    { eventName: 'order.update' },
    { eventName: 'order.update', data: {} },
    { eventName: 'order.update', data: null },
    { eventName: 'order.update', data: { id: ' ' } },
    { eventName: 7, data: { id } },
    { data: { id } },
    { eventName: 'experience.update', data: { id } },
    { eventName: 'purchase.create', data: { id } },
  ])('%j names no booking', (body) => {
    expect(noticeOf(xola, { body })).toEqual({ bookingIds: [] });
  });
});
