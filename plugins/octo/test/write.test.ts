import type { SignedDocument, Waiver } from '@waiver-service/core';
import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { connected } from './connected.ts';
import { bookingId, fixture, unitItemId } from './fixtures.ts';

type Json = Record<string, unknown>;

const baseUrl = 'https://octo.example';
afterEach(() => nock.cleanAll());

/**
 * Pushes a waiver to a booking; `keep` turns the request into the booking in the response, `readAgain` is the booking
 * that a second read finds.
 */
async function push(
  booking: object,
  changes: Partial<Waiver>,
  keep: (held: Json) => object = (held) => held,
  settings: object = {},
  readAgain: object = booking,
  changesUnitItems = true,
  document?: SignedDocument,
) {
  nock.cleanAll();
  const bodies: Json[] = [];
  nock(baseUrl)
    .persist()
    .get(`/bookings/${bookingId}`)
    .reply(200, () => Object(bodies.length === 0 ? booking : readAgain))
    .patch(`/bookings/${bookingId}`)
    .reply(200, async (request: Request) => {
      const body: unknown = await request.json();
      bodies.push(Object(body));
      return Object(keep({ ...booking, ...Object(body) }));
    });
  const pushed = await connected(baseUrl, settings, { changesUnitItems }).push(
    { bookingId, ...changes },
    document,
  );
  return { pushed, bodies, messages: pushed?.warnings.map(({ message }) => message) ?? [] };
}
const booking = (changes: object = {}) => fixture('two-adults-with-names', changes);
const [first, second] = Object(booking()).unitItems;
const shared = { bookingGuestId: unitItemId(2), name: 'Rory Munro', email: 'rory@example.com' };

test('a change of the email does not change the name, and equal values are not sent again', async () => {
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

describe('text of staff in the notes', () => {
  const line = '[waiver w1] updated 2027-06-11 [end]';
  const lost = [
    { code: 'waiver_partly_written', message: expect.stringContaining('besides the waiver’s line') },
  ];

  test('that the system drops is a warning', async () => {
    const { pushed } = await push(booking(), {}, (held) => ({ ...held, notes: line }));
    expect(pushed).toMatchObject({ accepted: true, warnings: lost });
    expect(JSON.stringify(pushed?.warnings), 'staff’s text is not repeated').not.toContain('bus');
  });

  test('that the system cuts off, as our line before it has grown, is a warning', async () => {
    const held = booking({ notes: `${line}\nArrives by bus` });
    const cut = (sent: Json) => ({ ...sent, notes: String(sent.notes).slice(0, 60) });
    const { pushed, bodies } = await push(held, { diet: 'vegan' }, cut);
    expect(bodies).toEqual([{ notes: '[waiver w1] updated 2027-06-11 · diet: vegan [end]\nArrives by bus' }]);
    expect(pushed).toMatchObject({ accepted: true, warnings: lost });
  });

  test('that a void takes along is a warning', async () => {
    const held = booking({ notes: `Arrives by bus\n${line}` });
    const { pushed } = await push(held, { deleted: true }, (sent) => ({ ...sent, notes: null }));
    expect(pushed).toMatchObject({ accepted: true, warnings: lost });
  });

  test('that is gone with our line is a warning beside the reason', async () => {
    const { pushed } = await push(booking(), {}, (held) => ({ ...held, notes: '' }));
    expect(pushed).toMatchObject({ accepted: false, warnings: lost });
  });
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

test('another code of a ticket is one that was reissued, another address of it is none', async () => {
  const ticket = (QRCODE: string, PDF_URL: string) => ({
    deliveryOptions: Object.entries({ QRCODE, PDF_URL }).map(([deliveryFormat, deliveryValue]) => ({
      deliveryFormat,
      deliveryValue,
    })),
  });
  const held = booking({ unitItems: [{ ...first, ticket: ticket('QR-1', 'https://a.example/1') }, second] });
  const answeredWith = (other: object) =>
    push(held, shared, ({ notes, unitItems }) => {
      const [one, two] = Object(unitItems);
      return {
        ...held,
        notes,
        unitItems: [
          { ...first, ...one, ticket: other },
          { ...second, ...two },
        ],
      };
    });
  const moved = await answeredWith(ticket('QR-1', 'https://a.example/2'));
  expect([moved.messages, moved.pushed?.withdraws]).toEqual([[], undefined]);
  const reissued = await answeredWith(ticket('QR-2', 'https://a.example/1'));
  expect(reissued.messages).toEqual([expect.stringContaining('tickets of 1 unit items')]);
  expect(reissued.pushed?.withdraws).toBe('changesUnitItems');
});

test('a waiver that was not kept withdraws the permission, too, if tickets were reissued for it', async () => {
  const unitItems = [first, second].map((item) => ({ ...item, supplierReference: 'OTHER' }));
  const { pushed } = await push(booking(), shared, () => booking({ unitItems }));
  expect(pushed).toMatchObject({ accepted: false, withdraws: 'changesUnitItems' });
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

test('a line that the system stores with other line ends, and without spaces at its end, is kept and not sent again', async () => {
  const asStored = (sent: object) => ({
    ...sent,
    notes: String(Object(sent).notes).trim().replace(/ *\n/g, '\r\n'),
  });
  const answers = { bookingGuestId: unitItemId(2), diet: '' };
  const { pushed, bodies } = await push(booking(), answers, asStored);
  expect(pushed).toEqual({ accepted: true, warnings: [] });
  const again = await push(booking(asStored(Object(bodies[0]))), answers);
  expect(again.pushed).toEqual({ accepted: true, warnings: [] });
  expect(again.bodies).toEqual([]);
});

test('a void changes nothing but the notes, whatever is shared', async () => {
  const held = booking({ notes: '[waiver w1] updated 2027-06-11 [end]' });
  const { bodies } = await push(held, { ...shared, deleted: true });
  expect(bodies).toEqual([{ notes: '' }]);
});

test('a void that did not remove the line is not accepted', async () => {
  const held = booking({ notes: '[waiver w1] updated 2027-06-11 [end]' });
  const { pushed } = await push(held, { deleted: true }, () => held);
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('take it out there') });
});

test('the note is written to a cancelled booking without unit items', async () => {
  const { pushed, bodies } = await push(booking({ unitItems: null }), {});
  expect(pushed).toEqual({ accepted: true, warnings: [] });
  expect(bodies.map((body) => Object.keys(body))).toEqual([['notes']]);
});

test.each([[undefined], [7], [[]]])('notes that are not shown are not written over (%j)', async (notes) => {
  for (const deleted of [false, true]) {
    await expect(push(booking({ notes }), { deleted })).rejects.toMatchObject({
      code: 'waiver_rejected',
      retry: 'schedule',
      message: expect.stringContaining('must be allowed to read notes'),
    });
  }
});

test('a response that does not show the notes is no proof of them: the booking is read again', async () => {
  const { pushed } = await push(booking(), {}, ({ notes: _hidden, ...others }) => others);
  expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('kept nothing of it') });
});

describe('the vendor’s own waiver', () => {
  const { product } = Object(fixture('waivers-per-unit'));
  const perUnit = (changes: object = {}) => fixture('waivers-per-unit', changes);
  const perBooking = (changes: object = {}) =>
    perUnit({ product: { ...product, waiverPer: 'BOOKING' }, ...changes });
  const born = { dateOfBirth: '1990-05-04' };
  const all = { name: 'Tiago Reis', ...born };
  const fill = (held: object, changes: Partial<Waiver>, keep?: (held: Json) => object) =>
    push(held, changes, keep, { waivers: true });
  const keysOf = (bodies: readonly Json[]) => bodies.map((body) => Object.keys(body));
  /** The unit items of a system that stored the waiver of the second one. */
  const completed = (held: Json) => ({
    ...held,
    unitItems: Object(perUnit()).unitItems.map((item: object) => ({ ...item, waiversComplete: true })),
  });

  test('is not accepted from a booking that can be changed no more and shows nothing of it', async () => {
    const locked = perUnit({ cancellable: false });
    const waiver = { bookingGuestId: unitItemId(2), ...born };
    const ignored = await fill(locked, waiver, () => locked);
    expect(keysOf(ignored.bodies)).toEqual([['unitItems']]);
    expect(ignored.pushed).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('kept nothing of it'),
    });
    const stored = await fill(locked, waiver, completed);
    expect(stored.pushed?.accepted).toBe(true);
    expect(stored.messages.join()).toContain('not cancellable');
  });

  test('counts as stored where the answers are shown', async () => {
    const locked = perUnit({ cancellable: false });
    const shown = (held: Json) => ({
      ...locked,
      unitItems: Object(locked).unitItems.map((item: object, index: number) => ({
        ...item,
        waiverFieldValues: Object(held).unitItems[index].waiverFieldValues,
      })),
    });
    const { pushed } = await fill(locked, { bookingGuestId: unitItemId(2), ...born }, shown);
    expect(pushed?.accepted).toBe(true);
  });

  test('counts as stored where only a read shows it', async () => {
    const locked = perUnit({ cancellable: false });
    const waiver = { bookingGuestId: unitItemId(2), ...born };
    const { pushed } = await push(locked, waiver, undefined, { waivers: true }, completed({ ...locked }));
    expect(pushed?.accepted).toBe(true);
  });

  test('that is not shown at all is a warning beside the line in the notes', async () => {
    const silent = perUnit({
      unitItems: Object(perUnit()).unitItems.map(({ waiversComplete: _hidden, ...item }: Json) => item),
    });
    const waiver = { bookingGuestId: unitItemId(2), ...all };
    const { bodies } = await fill(silent, waiver);
    const noted = { ...silent, notes: bodies[0]?.notes };
    const { pushed, messages } = await push(silent, waiver, () => noted, { waivers: true }, noted);
    expect(pushed?.accepted).toBe(true);
    expect(messages).toContainEqual(expect.stringContaining('does not show whether it kept'));
  });

  test('is no proof of the signed document', async () => {
    const context = { bookingGuestId: unitItemId(2), ...all };
    const pdf = async () => Buffer.from('%PDF-1.7');
    const { pushed, messages } = await push(
      perUnit(),
      context,
      completed,
      { waivers: true },
      completed({}),
      true,
      pdf,
    );
    expect(pushed?.accepted).toBe(true);
    expect(messages).toContainEqual(expect.stringContaining('whether it kept the signed document'));
  });

  test('is left as it is where it is complete', async () => {
    const ofUnit = await fill(perUnit(), { bookingGuestId: unitItemId(1), ...born });
    expect(keysOf(ofUnit.bodies)).toEqual([['notes']]);
    expect(ofUnit.messages).toEqual([expect.stringContaining('complete already')]);
    const ofBooking = await fill(perBooking({ waiversComplete: true }), born);
    expect(keysOf(ofBooking.bodies)).toEqual([['notes']]);
    expect(ofBooking.messages).toEqual([expect.stringContaining('complete already')]);
  });

  test('is not put at risk for a change of only a contact', async () => {
    const { bodies, messages } = await fill(perUnit(), { bookingGuestId: unitItemId(1), ...all });
    expect(keysOf(bodies)).toEqual([['notes']]);
    expect(messages).toContainEqual(expect.stringContaining('unitItems[0] has a complete waiver'));
  });

  test('is not sent again with the same answers, which would reissue every ticket', async () => {
    const notes = '[waiver w1] updated 2027-06-10 · dateOfBirth: 1990-05-04 [end]';
    const same = await fill(perUnit({ notes }), { bookingGuestId: unitItemId(2), ...born });
    expect(keysOf(same.bodies)).toEqual([['notes']]);
    expect(same.messages).toEqual([expect.stringContaining('not complete')]);
    const changed = { bookingGuestId: unitItemId(2), dateOfBirth: '1991-05-04' };
    const other = await fill(perUnit({ notes }), changed);
    expect(keysOf(other.bodies)).toEqual([['notes', 'unitItems']]);
  });

  test('of a whole booking is left to the guest who signed first, unless another one completes it', async () => {
    const notes = '[waiver w0] updated 2027-06-10 · dateOfBirth: 1980-01-01 [end]';
    const second = await fill(perBooking({ notes }), born);
    expect(keysOf(second.bodies)).toEqual([['notes']]);
    expect(second.messages).toEqual([expect.stringContaining('another guest has signed')]);
    const complete = await fill(perBooking({ notes }), all);
    expect(complete.bodies[0]).toHaveProperty('waiverId');
  });
});
