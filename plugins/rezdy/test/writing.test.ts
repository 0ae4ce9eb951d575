import type { Waiver } from '@waiver-service/core';
import { expect, test } from 'vitest';
import plugin from '../src/index.ts';
import { fillFields } from '../src/writing/fill-fields.ts';
import { waiverOf } from './connected.ts';
import { fixture, orderNumber } from './fixtures.ts';

const sent = ['First Name', 'Last Name'].map((label) => ({ label }));
const valuesOf = (fields: readonly object[]) => fields.map((field) => Object(field).value);

/** Pushes a waiver to an order; `keep` turns the request into the order that Rezdy stores. */
async function push(
  booking: object,
  changes: Partial<Waiver>,
  keep: (sent: Record<string, unknown>) => object = (whole) => whole,
  enclose: (held: object) => object = (held) => ({ requestStatus: { success: true }, booking: held }),
) {
  const nobody = async () => {
    throw new Error('a call was made');
  };
  const answer = (data: unknown) => ({ status: 200, headers: {}, data });
  const bodies: unknown[] = [];
  const context = {
    pool: 'pool-1',
    http: {
      get: async () => answer({ requestStatus: { success: true }, booking }),
      put: async (_path: string, body: unknown) => {
        bodies.push(body);
        return answer(enclose(keep(Object(body))));
      },
      delete: nobody,
      post: nobody,
      patch: nobody,
    },
    settings: {},
    account: { accountId: 'a', apiKey: 'k' },
    secrets: { redact: String, redactData: String },
    signal: new AbortController().signal,
  };
  const pushed = await plugin.pushWaiver?.(context, waiverOf({ bookingId: orderNumber, ...changes }));
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
  expect(filled).toMatchObject({ fields, changed: [], unused: [] });
  expect(filled.matching).toEqual(['First Name', 'Surname']);
});

test('shared first and last names take precedence over the split name', () => {
  const shared = { name: 'Ana de la Cruz', firstName: 'Ana', lastName: 'de la Cruz' };
  expect(valuesOf(fillFields(waiverOf(shared), sent).fields)).toEqual(['Ana', 'de la Cruz']);
});

test('a single-word name does not clear an existing last name, and is reported as unused', () => {
  const fields = [{ label: 'First Name' }, { label: 'Last Name', value: 'Tupou' }];
  const filled = fillFields(waiverOf({ name: 'Sione' }), fields);
  expect(valuesOf(filled.fields)).toEqual(['Sione', 'Tupou']);
  expect(filled.unused).toEqual(['name']);
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
  for (const items of [order().items, []]) {
    const { pushed } = await push(order(), named, (whole) => ({ ...whole, items }));
    expect(pushed?.accepted).toBe(true);
    expect(messagesOf(pushed)).toEqual(['Rezdy did not keep what was written into "Email"']);
  }
  const { pushed } = await push(order(), named, () => order());
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('kept nothing of it') });
});

test('a waiver is not written by what a field said before', async () => {
  const booking = order();
  const { pushed } = await push(booking, { bookingGuestId: '1-2', name: 'Wiremu Holt' }, () => booking);
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('kept nothing of it') });
});

test('the fields of another person who has taken the position stay as they are', async () => {
  const { pushed, bodies } = await push(order(), {
    bookingGuestId: '1-2',
    name: 'Mele Tupou',
    email: 'mele@example.com',
  });
  expect(pushed?.accepted).toBe(true);
  expect(messagesOf(pushed)).toEqual([expect.stringContaining('has another name')]);
  expect(bodies).toMatchObject([
    { items: order().items, internalNotes: expect.stringContaining('Mele Tupou') },
  ]);
  // A correction of the name that the waiver itself has written.
  const own = order({ internalNotes: '[waiver w1] updated 2027-06-11 · name: Wiremu Holt' });
  const corrected = await push(own, { bookingGuestId: '1-2', name: 'Wiremu Holte' });
  expect(corrected.pushed).toMatchObject({ accepted: true, warnings: [] });
  expect(JSON.stringify(Object(corrected.bodies[0]).items)).toContain('Holte');
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
  const booking = order({ internalNotes: '[waiver w1] updated 2027-06-11' });
  const { pushed } = await push(booking, { bookingGuestId: '1-2', deleted: true }, () => booking);
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('take it out there') });
});

test('a void says that the fields stay, whether all, some or none of them say what was shared', async () => {
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
      internalNotes: '[waiver w1] updated 2027-06-11 · email: mele@example.org',
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
