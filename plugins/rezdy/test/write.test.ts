import type { Waiver } from '@waiver-service/core';
import nock from 'nock';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fillFields } from '../src/write/order-change.ts';
import { connected, waiverOf } from './connected.ts';
import { fixture, orderNumber } from './fixtures.ts';

const sent = ['First Name', 'Last Name'].map((label) => ({ label }));
const valuesOf = (fields: readonly object[]) => fields.map((field) => Object(field).value);

const baseUrl = 'https://rezdy.example';
afterEach(() => nock.cleanAll());

/** Pushes a waiver to an order; `keep` turns the request into the order that Rezdy stores and returns. */
async function push(
  booking: object,
  changes: Partial<Waiver>,
  keep: (sent: Record<string, unknown>) => object = (whole) => whole,
  enclose: (held: object) => object = (held) => ({ requestStatus: { success: true }, booking: held }),
) {
  nock.cleanAll();
  const bodies: unknown[] = [];
  let stored = booking;
  nock(baseUrl)
    .persist()
    .get(`/bookings/${orderNumber}`)
    .reply(200, () => ({ requestStatus: { success: true }, booking: stored }))
    .put(`/bookings/${orderNumber}`)
    .reply(200, async (request: Request) => {
      const body: unknown = await request.json();
      bodies.push(body);
      stored = keep(Object(body));
      return enclose(stored);
    });
  const pushed = await connected(baseUrl).push({ bookingId: orderNumber, ...changes });
  return { pushed, bodies };
}
const order = (changes: object = {}) => Object(fixture('two-named-participants', changes).booking);
const messagesOf = (pushed: { readonly warnings: readonly { readonly message: string }[] } | undefined) =>
  pushed?.warnings.map(({ message }) => message) ?? [];

test.each([
  ['Mele Tupou', ['Mele', 'Tupou'], []],
  ['  Ana  Maria   Silva ', ['Ana Maria', 'Silva'], []],
  ['Cher', ['Cher', undefined], []],
])('the name %j is split into first and last name', (name, values, left) => {
  const filled = fillFields(waiverOf({ name }), sent);
  expect(valuesOf(filled.fields)).toEqual(values);
  expect(filled.unused).toEqual(left);
});

test('an equal name keeps the split that staff chose', () => {
  const fields = [
    { label: 'First Name', value: 'Ana' },
    { label: 'Surname', value: 'de la Cruz' },
  ];
  const filled = fillFields(waiverOf({ name: 'Ana de la Cruz' }), fields);
  expect(filled).toMatchObject({ fields, changed: [], haveAnswers: true, unused: [] });
});

test('a name is the same in any encoding of its letters', () => {
  const fields = [
    { label: 'First Name', value: 'Zoë'.normalize('NFD') },
    { label: 'Last Name', value: 'Núñez'.normalize('NFD') },
    { label: 'Diet' },
  ];
  const filled = fillFields(waiverOf({ name: 'Zoë Núñez'.normalize('NFC'), diet: 'vegan' }), fields);
  expect(filled).toMatchObject({ isOtherPerson: false, changed: ['Diet'], unused: [] });
});

test('shared first and last names take precedence over the split name', () => {
  const shared = { name: 'Ana de la Cruz', firstName: 'Ana', lastName: 'de la Cruz' };
  expect(valuesOf(fillFields(waiverOf(shared), sent).fields)).toEqual(['Ana', 'de la Cruz']);
});

test('a single-word name does not clear an existing last name, and is reported as unused', () => {
  const fields = [
    { label: 'First Name', value: 'Sione' },
    { label: 'Last Name', value: 'Tupou' },
  ];
  const filled = fillFields(waiverOf({ name: 'Sione' }), fields);
  expect(filled).toMatchObject({ fields, changed: [], unused: ['name'], isOtherPerson: false });
});

describe('whose fields they are is told by the name', () => {
  const fieldsOf = (firstName?: string, lastName?: string, email = 'old@example.com') => [
    { label: 'First Name', value: firstName },
    { label: 'Last Name', value: lastName },
    { label: 'Email', value: email },
    { label: 'Date of Birth' },
  ];
  const answers = { email: 'new@example.com', dateOfBirth: '1990-05-04' };

  test.each([
    ['Mele', 'Tupou'],
    ['mele ', ' TUPOU'],
    ['Tupou', 'Mele'],
  ])('%j %j is who signed: answers replace what is there', (firstName, lastName) => {
    const filled = fillFields(waiverOf({ name: 'Mele Tupou', ...answers }), fieldsOf(firstName, lastName));
    expect(filled).toMatchObject({ unused: [], isOtherPerson: false });
    expect(valuesOf(filled.fields)).toEqual([
      expect.stringMatching(/Mele/),
      expect.stringMatching(/Tupou/),
      'new@example.com',
      '1990-05-04',
    ]);
  });

  test.each([
    ['Sione', 'Tupou'],
    ['Mele', 'Silva'],
    ['Ana', undefined],
  ])('%j %j is somebody else: no field changes, not even an empty one', (firstName, lastName) => {
    const fields = fieldsOf(firstName, lastName);
    for (const name of [{ name: 'Mele Tupou' }, { firstName: 'Mele', lastName: 'Tupou' }]) {
      const filled = fillFields(waiverOf({ ...name, ...answers }), fields);
      expect(filled).toMatchObject({ fields, changed: [], isOtherPerson: true });
    }
  });

  test.each([
    [{ name: 'Mele Tupou' }, fieldsOf(), ['Mele', 'Tupou', 'old@example.com', '1990-05-04']],
    [{ name: 'Mele Tupou' }, fieldsOf('Mele'), ['Mele', 'Tupou', 'old@example.com', '1990-05-04']],
    [{}, fieldsOf('Sione', 'Tupou'), ['Sione', 'Tupou', 'old@example.com', '1990-05-04']],
  ])('where the names cannot tell (%j), only empty fields are filled', (name, fields, values) => {
    const filled = fillFields(waiverOf({ ...name, ...answers }), fields);
    expect(valuesOf(filled.fields)).toEqual(values);
    expect(filled).toMatchObject({ unused: ['email'], isOtherPerson: false });
  });
});

test('an answer without a field is reported, an empty one is not', () => {
  const shared = {
    name: 'Mele Tupou',
    height: 180,
    hobbies: ['sailing'],
    howHeard: '',
    medication: null,
    agency: undefined,
  };
  expect(fillFields(waiverOf(shared), sent).unused).toEqual(['height', 'hobbies']);
  expect(fillFields(waiverOf({ name: 'Mele Tupou' }), [{ label: 'First Name' }]).unused).toEqual(['name']);
});

test('a field with choices accepts only those', () => {
  const field = { label: 'Agency', listOptions: 'PADI\r\nSSI\r\n' };
  expect(valuesOf(fillFields(waiverOf({ agency: 'SSI' }), [field]).fields)).toEqual(['SSI']);
  expect(fillFields(waiverOf({ agency: 'CMAS' }), [field])).toMatchObject({
    fields: [field],
    unused: ['agency'],
  });
});

test('answers that fit no field are a warning, also if the waiver names no guest', async () => {
  for (const [bookingGuestId, path] of [
    ['1-2', 'items[0].participants[1]'],
    [undefined, 'items'],
  ]) {
    const { pushed } = await push(order(), { bookingGuestId, height: 180 });
    expect(pushed?.accepted).toBe(true);
    expect(pushed?.warnings).toEqual([
      { code: 'waiver_partly_written', path, message: expect.stringContaining('"height"') },
    ]);
  }
});

test('each part that Rezdy did not store is a warning: a field, the line, or all participants', async () => {
  const named = { bookingGuestId: '1-2', email: 'wiremu@example.com' };
  const withoutNote = await push(order(), named, (whole) => ({
    ...whole,
    internalNotes: 'Regular customers',
  }));
  expect(withoutNote.pushed?.accepted).toBe(true);
  expect(messagesOf(withoutNote.pushed)).toEqual(['Rezdy did not keep the line in the internal notes']);
  expect(withoutNote.pushed?.warnings).toMatchObject([{ path: 'internalNotes' }]);
  for (const [items, others] of [
    [order().items, []],
    [[], ['the order’s items changed with the waiver: compare it in Rezdy']],
  ]) {
    const { pushed } = await push(order(), named, (whole) => ({ ...whole, items }));
    expect(pushed?.accepted).toBe(true);
    expect(messagesOf(pushed)).toEqual([...others, 'Rezdy did not keep what was written into "Email"']);
  }
  const { pushed } = await push(order(), named, () => order());
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('kept nothing of it') });
});

test('what the fields said before counts for nothing: a waiver whose line was not stored is not accepted', async () => {
  const booking = order();
  const { pushed } = await push(booking, { bookingGuestId: '1-2', name: 'Wiremu Holt' }, () => booking);
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('kept nothing of it') });
});

test('the fields of another person who has taken the position stay as they are', async () => {
  const mele = { bookingGuestId: '1-2', name: 'Mele Tupou', email: 'mele@example.com' };
  for (const line of [
    '',
    '[waiver w1] updated 2027-06-10 · name: Mele Tupou · emergencyContact: Wiremu Holt [end]',
  ]) {
    const { pushed, bodies } = await push(order({ internalNotes: line }), mele);
    expect(pushed?.accepted).toBe(true);
    expect(messagesOf(pushed)).toEqual([expect.stringContaining('has another name')]);
    expect(bodies).toMatchObject([
      { items: order().items, internalNotes: expect.stringContaining('email: mele@example.com') },
    ]);
  }
});

test.each([
  ['name: Wiremu Holt', { name: 'Wiremu Hoult' }],
  ['firstName: Wiremu · lastName: Holt', { firstName: 'Wiremu', lastName: 'Hoult' }],
])('a name that the waiver itself has written (%s) is corrected', async (former, shared) => {
  const own = order({ internalNotes: `[waiver w1] updated 2027-06-10 · ${former} [end]\r\nPaid` });
  const { pushed, bodies } = await push(own, { bookingGuestId: '1-2', ...shared });
  expect(pushed).toEqual({ accepted: true, warnings: [] });
  expect(valuesOf(Object(bodies[0]).items[0].participants[1].fields)).toEqual(['Wiremu', 'Hoult', undefined]);
});

test('a line that is there already tells of the waiver, whatever becomes of the fields', async () => {
  const email = 'wiremu@example.com';
  const booking = order({ internalNotes: `[waiver w1] updated 2027-06-11 · email: ${email} [end]` });
  const { pushed } = await push(booking, { bookingGuestId: '1-2', email }, () => booking);
  expect(pushed?.accepted).toBe(true);
  expect(messagesOf(pushed)).toEqual(['Rezdy did not keep what was written into "Email"']);
});

describe('the rest of the order', () => {
  const [item] = order().items;
  const [first, second] = item.participants;

  test.each([
    ['status', { status: 'PROCESSING' }],
    ['customer', { customer: { ...order().customer, email: undefined } }],
    ['payments', { payments: [] }],
    ['fields', { fields: undefined }],
    ['items', { items: [] }],
    ['items', { items: [item, item] }],
    ['items', { items: [{ ...item, participants: [first] }] }],
    ['items', { items: [{ ...item, participants: [second, first] }] }],
    ['items', { items: [{ ...item, startTime: '2027-06-12T22:00:00Z' }] }],
    ['internalNotes', { internalNotes: '[waiver w1] updated 2027-06-11 [end]' }],
    ['coupon', { coupon: 'NEW' }],
  ])('is compared: other %s are a warning', async (part, changes) => {
    const before = order({ payments: [{ type: 'CASH', amount: 178 }] });
    const { pushed } = await push(before, { bookingGuestId: '1-2' }, (whole) => ({ ...whole, ...changes }));
    expect(pushed?.accepted).toBe(true);
    expect(pushed?.warnings).toMatchObject([{ code: 'waiver_partly_written', path: part }]);
    expect(messagesOf(pushed)).toEqual([expect.stringContaining(`${part} changed with the waiver`)]);
  });

  test('may come back without what is empty, in another order, with other line ends and a new time of update', async () => {
    const before = order({ dateUpdated: '2027-06-01T00:00:00Z', vouchers: [] });
    const email = 'wiremu@example.com';
    const { pushed } = await push(before, { bookingGuestId: '1-2', email }, (whole) => {
      const { vouchers: _none, resellerReference: _empty, internalNotes, ...rest } = whole;
      const others = Object.fromEntries(Object.entries(rest).toReversed());
      const notes = String(internalNotes).replaceAll('\n', '\r\n');
      return { ...others, internalNotes: notes, dateUpdated: '2027-06-11T18:00:01Z', coupon: null };
    });
    expect(pushed).toEqual({ accepted: true, warnings: [] });
  });

  test('is compared although nothing of the waiver was kept', async () => {
    const { pushed } = await push(order(), {}, () => order({ status: 'CANCELLED' }));
    expect(pushed).toMatchObject({ accepted: false, warnings: [{ path: 'status' }] });
  });
});

test('a line with other line ends is not written again', async () => {
  const internalNotes = 'Regular customers\r\n[waiver w1] updated 2027-06-11 [end]\r\nPaid';
  const { pushed, bodies } = await push(order({ internalNotes }), {});
  expect(pushed).toEqual({ accepted: true, warnings: [] });
  expect(bodies).toEqual([]);
});

test('notes that are no text are not written over', async () => {
  for (const internalNotes of [['Paid'], { text: 'Paid' }, 7]) {
    await expect(push(order({ internalNotes }), {})).rejects.toMatchObject({
      issues: [{ path: 'internalNotes' }],
    });
  }
});

describe('an answer that is not the order', () => {
  const { orderNumber: _number, ...withoutNumber } = order();
  const { status: _status, ...withoutStatus } = order();
  const { items: _items, ...withoutItems } = order();

  test.each([
    ['orderNumber', {}],
    ['orderNumber', withoutNumber],
    ['status', withoutStatus],
    ['items', withoutItems],
    ['items', { ...withoutItems, items: null }],
  ])('is refused, and nothing is sent: without %s', async (path, answer) => {
    const keep = vi.fn(order);
    for (const changes of [{}, { deleted: true }]) {
      await expect(push(answer, changes, keep)).rejects.toMatchObject({
        code: 'invalid_booking_response',
        issues: expect.arrayContaining([expect.objectContaining({ path })]),
      });
    }
    expect(keep).not.toHaveBeenCalled();
  });

  test.each([{}, { deleted: true }])('does not verify a change: %j', async (changes) => {
    const before = order({ internalNotes: changes.deleted ? '[waiver w1] updated 2027-06-11 [end]' : '' });
    await expect(push(before, changes, () => ({}))).rejects.toMatchObject({
      code: 'invalid_booking_response',
    });
  });

  test('may lack the items if it is cancelled', async () => {
    for (const items of [undefined, null]) {
      const cancelled = order({ status: 'CANCELLED', items });
      const { pushed, bodies } = await push(cancelled, {});
      expect(pushed).toEqual({ accepted: true, warnings: [] });
      expect(bodies).toEqual([{ ...cancelled, internalNotes: expect.stringContaining('[waiver w1]') }]);
    }
  });

  test('may lack the items after the change: that is a warning', async () => {
    const { pushed } = await push(order(), {}, ({ items: _lost, ...whole }) => whole);
    expect(pushed).toMatchObject({ accepted: true, warnings: [{ path: 'items' }] });
  });
});

test('a change that waited for its turn says that it may overwrite what staff changed meanwhile', async () => {
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  try {
    for (const [delayMs, warnings] of [
      [1_000, []],
      [4_800, [{ message: expect.stringContaining('5 s after the order was read') }]],
    ] as const) {
      const { pushed } = await push(order(), {}, (whole) => {
        aheadMs += delayMs;
        return whole;
      });
      expect(pushed).toMatchObject({ accepted: true, warnings });
    }
  } finally {
    clock.mockRestore();
  }
});

test('a change that timed out in Rezdy is in doubt, a rejected one is not', async () => {
  const refusal = (errorCode: string) => () => ({
    requestStatus: { success: false, error: { errorCode, errorMessage: 'no' } },
  });
  await expect(push(order(), {}, undefined, refusal('5'))).rejects.toMatchObject({
    code: 'booking_system_timeout',
    inDoubt: true,
  });
  await expect(push(order(), {}, undefined, refusal('6'))).rejects.toMatchObject({
    code: 'booking_system_auth_rejected',
    inDoubt: false,
  });
});

test('a void that did not remove the line is not accepted', async () => {
  const booking = order({ internalNotes: '[waiver w1] updated 2027-06-11 [end]' });
  const { pushed } = await push(booking, { bookingGuestId: '1-2', deleted: true }, () => booking);
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('take it out there') });
});

test('a void says that the fields stay, whether all, some or none of them have the shared answers', async () => {
  const staying = ['the line in the internal notes is gone; what the participant’s fields say stays'];
  const voided = { bookingGuestId: '1-2', deleted: true };
  for (const [shared, said] of [
    [{ firstName: 'Wiremu', email: 'wiremu@example.com' }, staying],
    [{ firstName: 'Wiremu' }, staying],
    [{ email: 'wiremu@example.com' }, staying],
    [{}, []],
  ] as const) {
    const { pushed } = await push(order(), { ...voided, ...shared });
    expect(messagesOf(pushed)).toEqual(said);
  }
});

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

test.each([
  ['customer.id', { customer: { id: 2 ** 53 } }],
  ['payments.1.amount', { payments: [{ amount: 1 }, { amount: -(2 ** 60) }] }],
  ['nested too deeply', { further: nested(100) }],
])('an order that cannot be sent back unchanged is not written: %s', async (where, changes) => {
  const { pushed, bodies } = await push(order(changes), { bookingGuestId: '1-2' });
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining(where) });
  expect(bodies).toEqual([]);
});

test('numbers and depths up to the limit are sent back', async () => {
  const changes = { customer: { id: 2 ** 53 - 1 }, totalAmount: 12.5, further: nested(99) };
  const { pushed, bodies } = await push(order(changes), { bookingGuestId: '1-2' });
  expect(pushed).toEqual({ accepted: true, warnings: [] });
  expect(bodies).toEqual([{ ...order(changes), internalNotes: expect.stringContaining('[waiver w1]') }]);
});

test('an order without internal notes gets the line, and items of others stay as they are', async () => {
  const [item] = order().items;
  const { participants: _participants, ...other } = item;
  const before = order({ internalNotes: null, items: [other, item] });
  const { bodies } = await push(before, { bookingGuestId: '2-1', email: 'mele@example.org' });
  expect(bodies).toEqual([
    {
      ...before,
      internalNotes: '[waiver w1] updated 2027-06-11 · email: mele@example.org [end]',
      items: [other, { ...item, participants: [expect.anything(), item.participants[1]] }],
    },
  ]);
});

test('non-objects in lists of participants or fields keep their positions', async () => {
  const [item] = order().items;
  const [first, second] = item.participants;
  const participants = [null, first, 'text', { ...second, fields: [null, ...second.fields], age: 9 }];
  const { bodies } = await push(order({ items: [{ ...item, participants }] }), {
    bookingGuestId: '1-4',
    email: 'wiremu@example.com',
  });
  const kept = Object(bodies[0]).items[0].participants;
  expect(kept.slice(0, 3)).toEqual([null, first, 'text']);
  expect(kept[3]).toMatchObject({ age: 9, fields: [null, {}, {}, { value: 'wiremu@example.com' }] });
});
