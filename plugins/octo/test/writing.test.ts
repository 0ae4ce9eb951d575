import type { Waiver } from '@waiver-service/core';
import { expect, test } from 'vitest';
import plugin from '../src/index.ts';
import { waiverOf } from './connected.ts';
import { bookingId, fixture, unitItemId } from './fixtures.ts';

type Json = Record<string, unknown>;

/** Pushes a waiver to a booking; `keep` turns the request into the booking that the system stores. */
async function push(
  booking: object,
  changes: Partial<Waiver>,
  keep: (held: Json) => object = (held) => held,
) {
  const nobody = async () => {
    throw new Error('a call was made');
  };
  const bodies: Json[] = [];
  const context = {
    pool: 'pool-1',
    http: {
      get: async () => ({ status: 200, headers: {}, data: booking }),
      patch: async (_path: string, body: unknown) => {
        bodies.push(Object(body));
        return { status: 200, headers: {}, data: keep({ ...booking, ...Object(body) }) };
      },
      delete: nobody,
      post: nobody,
      put: nobody,
    },
    settings: plugin.settingsSchema.parse({}),
    account: { accountId: 'a', apiKey: 'k' },
    secrets: { redact: String, redactData: String },
    signal: new AbortController().signal,
  };
  const pushed = await plugin.pushWaiver?.(context, waiverOf({ bookingId, ...changes }));
  return { pushed, bodies, messages: pushed?.warnings.map(({ message }) => message) ?? [] };
}
const booking = (changes: object = {}) => fixture('two-adults-with-names', changes);
const [first, second] = Object(booking()).unitItems;
const shared = { bookingGuestId: unitItemId(2), name: 'Rory Munro', email: 'rory@example.com' };

test('an email alone does not change the name, and equal values are not sent again', async () => {
  const { bodies } = await push(booking(), { bookingGuestId: unitItemId(2), email: 'rory@example.com' });
  const [, item] = Object(bodies[0]).unitItems;
  expect(item.contact).toEqual({ ...second.contact, emailAddress: 'rory@example.com' });
  const again = await push(booking({ notes: null, unitItems: [first, item] }), {
    bookingGuestId: unitItemId(2),
    email: 'rory@example.com',
  });
  expect(again.bodies.map((body) => Object.keys(body))).toEqual([['notes']]);
});

test('unit items are sent with their contacts, references and answers', async () => {
  const asked = { questionAnswers: [{ questionId: 'q', value: 'nuts', question: { label: 'Allergies?' } }] };
  const unitItems = [{ ...first, ...asked, resellerReference: 'AG-1' }, second];
  const { bodies } = await push(booking({ unitItems }), shared);
  expect(Object(bodies[0]).unitItems[0]).toEqual({
    uuid: first.uuid,
    unitId: first.unitId,
    resellerReference: 'AG-1',
    contact: first.contact,
    questionAnswers: [{ questionId: 'q', value: 'nuts' }],
  });
  expect(Object(bodies[0]).unitItems[1]).not.toHaveProperty('resellerReference');
});

test('paid extras are not put at risk: only the note is written, with a warning', async () => {
  const unitItems = [{ ...first, extraItems: [{ extraId: 'lunch' }] }, second];
  const { bodies, messages } = await push(booking({ unitItems }), shared);
  expect(bodies.map((body) => Object.keys(body))).toEqual([['notes']]);
  expect(messages).toEqual([expect.stringContaining('unitItems[0] has extras')]);
});

test.each([
  ['a lost note', (held: Json) => ({ ...held, notes: 'Arrives by bus' }), 'the line in the notes'],
  [
    'lost unit items',
    (held: Json) => ({ ...held, unitItems: [Object(held).unitItems[1]] }),
    '1 unit items are gone',
  ],
  [
    'other references',
    (held: Json) => ({
      ...held,
      unitItems: Object(held).unitItems.map((item: object) => ({ ...item, resellerReference: null })),
    }),
    'reseller’s references',
  ],
])('a part that was not stored is a warning: %s', async (_name, keep, said) => {
  const unitItems = [first, second].map((item) => ({
    ...item,
    resellerReference: 'AG',
    supplierReference: null,
  }));
  const { pushed, messages } = await push(booking({ unitItems }), shared, keep);
  expect(pushed?.accepted).toBe(true);
  expect(messages).toEqual([expect.stringContaining(said)]);
});

test('a contact that was not stored is a warning, field by field', async () => {
  const held = booking();
  const { pushed, messages } = await push(held, shared, ({ notes }) => ({ ...held, notes }));
  expect(pushed?.accepted).toBe(true);
  expect(messages).toEqual([expect.stringContaining('did not keep emailAddress of the guest’s contact')]);
  const gone = await push(held, { ...shared, bookingGuestId: undefined }, () => held);
  expect(gone.pushed).toMatchObject({
    accepted: false,
    reason: expect.stringContaining('kept nothing of it'),
  });
});

test('an equal name in two fields is not written again; another name replaces both', async () => {
  const divided = { ...second, contact: { fullName: null, firstName: 'Rory', lastName: 'Munro' } };
  const unitItems = [first, divided];
  const same = await push(booking({ unitItems }), { bookingGuestId: unitItemId(2), name: 'Rory Munro' });
  expect(same.bodies.map((body) => Object.keys(body))).toEqual([['notes']]);
  const { bodies } = await push(booking({ unitItems }), { bookingGuestId: unitItemId(2), name: 'Tam Lin' });
  const sent = Object(bodies[0]).unitItems[1].contact;
  expect(sent).toEqual({ fullName: 'Tam Lin', firstName: null, lastName: null });
  const ignored = ({ notes }: Json) => ({
    ...booking({ unitItems: [first, { ...divided, contact: { ...divided.contact, fullName: 'Tam Lin' } }] }),
    notes,
  });
  const { messages } = await push(
    booking({ unitItems }),
    { bookingGuestId: unitItemId(2), name: 'Tam Lin' },
    ignored,
  );
  expect(messages).toEqual([expect.stringContaining('did not keep firstName, lastName of')]);
});

test('a void changes nothing but the notes, whatever is shared', async () => {
  const held = booking({ notes: '[waiver w1] signed 2027-06-11' });
  const { bodies } = await push(held, { ...shared, deleted: true });
  expect(bodies).toEqual([{ notes: '' }]);
});

test('a void that did not remove the line is not accepted', async () => {
  const held = booking({ notes: '[waiver w1] signed 2027-06-11' });
  const { pushed } = await push(held, { deleted: true }, () => held);
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('take it out there') });
});

test('the note is written to a cancelled booking without unit items', async () => {
  const { pushed, bodies } = await push(booking({ unitItems: null }), {});
  expect(pushed).toEqual({ accepted: true, warnings: [] });
  expect(bodies.map((body) => Object.keys(body))).toEqual([['notes']]);
});
