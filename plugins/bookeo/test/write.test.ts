import type { Waiver } from '@waiver-service/core';
import { type JsonObject, noteMarkerOf, objectsIn } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import { customerOf, participantsOf } from '../src/read.ts';
import { isNameless, lostFields } from '../src/write/update-people.ts';
import { hasUnclearLine, textBesides, withWaiver } from '../src/write/waiver-field.ts';
import { unintendedChanges, withNewPerson } from '../src/write.ts';

const place = (categoryIndex: number, personId?: string): JsonObject => ({
  personId,
  peopleCategoryId: 'Cadults',
  categoryIndex,
});
const booking = (...details: readonly JsonObject[]): JsonObject => ({
  eventId: 'E1',
  price: { totalGross: { amount: '90', currency: 'EUR' } },
  participants: { numbers: [{ peopleCategoryId: 'Cadults', number: 2 }], details },
});

describe('the booking that is sent back to Bookeo', () => {
  test('has everything except read-only fields and null values', () => {
    const readOnly = {
      bookingNumber: '1',
      title: 'Noor Haddad',
      customer: { id: 'C1' },
      canceled: false,
      cancelationTime: '2027-06-01T08:00:00Z',
      cancelationAgent: 'staff',
      accepted: true,
      noShow: false,
      creationTime: '2027-05-01T08:00:00Z',
      creationAgent: 'staff',
      lastChangeTime: '2027-05-02T08:00:00Z',
      lastChangeAgent: 'staff',
      productName: 'Rafting',
      price: { totalGross: { amount: '90' } },
      promotionName: '',
      couponCodes: [],
      specificVoucherCode: '',
    };
    const { participants } = booking();
    const taken = { eventId: 'E1', privateEvent: false, note: '', options: [], participants };
    expect(withNewPerson({ ...taken, ...readOnly, externalRef: null }, 0, {})).toEqual(taken);
  });

  test('keeps the holders of other places, also where only the details name them', () => {
    const named = { ...place(1), personDetails: { id: 'L1', firstName: 'Sam' } };
    const { participants } = withNewPerson(booking(named, place(2)), 1, { firstName: 'Ana' });
    expect(participants).toMatchObject({
      details: [{ personId: 'L1', categoryIndex: 1 }, { personId: 'PNEW' }],
    });
  });

  test('marks a place without a person as PUNKNOWN', () => {
    const { participants } = withNewPerson(booking(place(1), place(2)), 1, { firstName: 'Ana' });
    expect(participants).toMatchObject({
      details: [
        { personId: 'PUNKNOWN', categoryIndex: 1 },
        { personId: 'PNEW', categoryIndex: 2, personDetails: { firstName: 'Ana' } },
      ],
    });
  });
});

describe('an unintended change', () => {
  const before = booking(place(1, 'L1'), place(2, 'PUNKNOWN'));

  test('is neither the holder of the waiver’s place nor the order of places', () => {
    expect(unintendedChanges(before, booking(place(2, 'L9'), place(1, 'L1')), 'Cadults-2')).toEqual([]);
  });

  test('is another holder of another place', () => {
    for (const other of [place(1, 'L2'), place(3, 'L1')]) {
      expect(unintendedChanges(before, booking(other, place(2, 'L9')), 'Cadults-2')).toEqual([
        'participants',
      ]);
    }
    expect(unintendedChanges(before, booking(place(2, 'L9')), 'Cadults-2')).toEqual(['participants']);
  });

  test.each([
    ['startTime', { startTime: '2027-06-12T09:00:00Z' }],
    ['endTime', { endTime: '2027-06-12T12:00:00Z' }],
    ['price', { price: { totalGross: { amount: '95', currency: 'EUR' } } }],
    ['options', { options: [{ id: 'O1' }] }],
    ['resources', { resources: [{ id: 'R1' }] }],
    ['numbers', { participants: { ...Object(before.participants), numbers: [] } }],
  ])('is another %s', (name, change) => {
    expect(unintendedChanges(before, { ...before, ...change }, 'Cadults-2')).toEqual([name]);
  });
});

describe('places', () => {
  test('a place has an id only if it has both a category and an index', () => {
    const details = [{ categoryIndex: 1 }, { peopleCategoryId: 'Cadults' }];
    for (const found of participantsOf(booking(...details))) {
      expect(found).toMatchObject({ slot: undefined, personId: 'PUNKNOWN' });
    }
  });

  test('the customer is addressed by the booking’s customerId, or by their own id', () => {
    const customer = { id: 'C9', firstName: 'Noor' };
    expect(customerOf({ customer }).address).toBe('customers/C9');
    expect(customerOf({ customerId: 'C1', customer }).address).toBe('customers/C1');
    expect(customerOf({ customerId: 'C1', customer: { firstName: 'Noor' } }).address).toBe('customers/C1');
  });

  test('only a first or last name is a name, which a shared one does not replace', () => {
    expect([{ firstName: 'Cher' }, { lastName: 'Soto' }].map(isNameless)).toEqual([false, false]);
    expect([{}, { firstName: ' ', lastName: '' }].map(isNameless)).toEqual([true, true]);
  });
});

describe('what a person has lost', () => {
  const waiver: Waiver = {
    id: 'w1',
    pool: 'p',
    bookingId: '77',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-10T08:00:00.000Z',
  };
  const line = '[waiver w1@77] updated 2027-06-10 [end]';
  const others = 'Paper\n[waiver w2@77] updated 2027-06-09 [end]';
  const inField = (value: string) => ({ id: 'F1', name: 'Waiver', value });
  const shoes = { id: 'F2', name: 'Shoe size', value: '34' };
  const sent = {
    firstName: 'Ana',
    emailAddress: 'ana@example.com',
    gender: '',
    acceptSmsReminders: false,
    phoneNumbers: [{ number: '1', type: 'mobile' }],
    streetAddress: { city: 'Linz' },
    customFields: [shoes, inField(`${others}\n${line}`)],
  };

  test.each([
    [{}, []],
    [{ gender: undefined, memo: 'new', streetAddress: { city: 'Linz', state: 'OÖ' } }, []],
    [
      {
        customFields: [
          { name: 'waiver', value: `${others}\r\n${line}` },
          { id: 'F2', value: '34' },
        ],
      },
      [],
    ],
    [{ customFields: [{ name: 'Shoe size', value: ' 34' }, inField(`${line}\n${others}`)] }, []],
    [{ emailAddress: undefined, acceptSmsReminders: true }, ['emailAddress', 'acceptSmsReminders']],
    [{ gender: 'female', firstName: { first: 'Ana' } }, ['firstName', 'gender']],
    [{ phoneNumbers: [], streetAddress: { city: 'Wels' } }, ['phoneNumbers', 'streetAddress']],
    [{ phoneNumbers: [{ number: '2', type: 'mobile' }] }, ['phoneNumbers']],
    [{ customFields: [inField(others)] }, ['custom field "Shoe size"']],
    [{ customFields: [shoes, inField(`Paper\n${line}`)] }, ['other text in the custom field "Waiver"']],
    [{ customFields: undefined }, ['custom field "Shoe size"', 'other text in the custom field "Waiver"']],
  ])('a person with %j lacks %j', (change, names) => {
    expect(lostFields(sent, { ...sent, ...change }, 'Waiver', waiver)).toEqual(names);
  });

  test('a field that only has an id is named by it; one of another id is another field, whatever its name', () => {
    const byId = { customFields: [{ id: 'F3', value: 'vegan' }] };
    expect(lostFields(byId, {}, 'Waiver', waiver)).toEqual(['custom field "F3"']);
    const renumbered = { customFields: [{ ...shoes, id: 'F9' }] };
    expect(lostFields({ customFields: [shoes] }, renumbered, 'Waiver', waiver)).toEqual([
      'custom field "Shoe size"',
    ]);
  });
});

describe('the field of a person', () => {
  const waiver = (changes: Partial<Waiver> = {}): Waiver => ({
    id: 'w1',
    pool: 'p',
    bookingId: '77',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
  const personWith = (value: unknown): JsonObject => ({ customFields: [{ name: 'Waiver', value }] });
  const textOf = (person: JsonObject) => String(objectsIn(person.customFields)[0]?.value);
  const after = (text: string, changes: Partial<Waiver>, isHolder = true) => {
    const customFields = withWaiver(personWith(text), 'Waiver', waiver(changes), isHolder);
    return customFields === undefined ? text : textOf({ customFields });
  };
  const line = '[waiver w1@77] updated 2027-06-10 [end]';

  describe('a line with its booking', () => {
    test('is only that waiver’s and that booking’s, whatever their ids contain', () => {
      const ids = ['a', 'a@b', 'a@b@c', 'a]', 'a] updated 2027-06-10 [end]', 'a%40b', 'a\nb', 'é'];
      const all = ids.flatMap((id) => ids.map((bookingId) => ({ id, bookingId })));
      const oldLines = ids.map((id) => `${noteMarkerOf(waiver({ id }))} updated 2027-06-10 [end]`);
      const lines = [...oldLines, ...all.map((one) => after('', one))];
      expect(new Set(lines).size).toBe(ids.length + all.length);
      for (const one of all) {
        const own = after('', one);
        expect(after(lines.join('\n'), { ...one, deleted: true }).split('\n')).toEqual(
          lines.filter((other) => other !== own),
        );
      }
    });

    test('stays when another booking’s is written or removed, also in the middle of what staff wrote', () => {
      const text = `Ask Kim ${line} Kim agreed, see [waiver w1]`;
      expect(after(text, { bookingId: '78', deleted: true })).toBe(text);
      expect(after(text, { bookingId: '78' })).toBe(`${text}\n${line.replace('77', '78')}`);
      expect(after(text, { deleted: true })).toBe('Ask Kim Kim agreed, see [waiver w1]');
      expect(after(text, {}, false)).toBe('Ask Kim Kim agreed, see [waiver w1]');
      expect(after(text, { swims: true })).toBe(text.replace(' [end]', ' · swims: true [end]'));
    });
  });

  describe('an old line, without a booking', () => {
    const old = (day: string) => `Paper\n[waiver w1] updated ${day} · diet: vegan [end] seen by Kim`;

    test.each(['2027-06-09', '2027-06-10', '2027-06-11'])(
      'of %s is replaced in place by any update',
      (day) => {
        expect(after(old(day), {})).toBe(`Paper\n${line} seen by Kim`);
        expect(after(old(day), { bookingId: '78' })).toBe(`Paper\n${line.replace('77', '78')} seen by Kim`);
        expect(after(`${old(day)}\n${line}`, {})).toBe(`Paper\n${line} seen by Kim`);
        expect(after(old(day), {}, false)).toBe('Paper\nseen by Kim');
      },
    );

    test('that is cut off is replaced, too', () => {
      expect(after('Paper\n[waiver w1]', {})).toBe(`Paper\n${line}`);
      expect(after('[waiver w1] updated 2027-06-09 · diet: veg', {})).toBe(line);
    });

    test('of an earlier day is removed by a void; of the same day, it may be of the next booking', () => {
      const deleted = { deleted: true };
      expect(after(old('2027-06-09'), deleted)).toBe('Paper\nseen by Kim');
      expect(after(`${line}\n${old('2027-06-09')}`, deleted, false)).toBe('Paper\nseen by Kim');
      for (const text of [old('2027-06-10'), old('2027-06-11'), 'Paper\n[waiver w1]']) {
        expect(after(text, deleted)).toBe(text);
        expect(after(`${line}\n${text}`, deleted)).toBe(text);
        expect(hasUnclearLine(personWith(text), 'Waiver', waiver(deleted))).toBe(true);
      }
      for (const text of [
        old('2027-06-09'),
        line,
        'see [waiver w1]',
        '[waiver w2] updated 2027-06-10 [end]',
      ]) {
        expect(hasUnclearLine(personWith(text), 'Waiver', waiver(deleted)), text).toBe(false);
      }
    });

    test('of the first version, which said "signed", is treated alike', () => {
      const signed = '[waiver w1] signed 2027-06-09 · name: Zoë';
      expect(after(`${signed}\nPaper`, {})).toBe(`${line}\nPaper`);
      expect(after(`${signed}\nPaper`, { deleted: true })).toBe('Paper');
      const sameDay = signed.replace('09', '10');
      expect(after(sameDay, { deleted: true })).toBe(sameDay);
    });

    test('is the waiver’s own, and all besides is others’', () => {
      expect(textBesides(personWith(`${old('2027-06-10')}\n${line}`), 'Waiver', waiver())).toBe(
        'Paper\nseen by Kim',
      );
    });
  });

  test('an absent value is empty, and no other kind of value is overwritten', () => {
    for (const value of [undefined, null, '']) {
      expect(withWaiver(personWith(value), 'Waiver', waiver())).toEqual([{ name: 'Waiver', value: line }]);
    }
    for (const value of [7, true, ['Paper'], {}]) {
      expect(() => withWaiver(personWith(value), 'Waiver', waiver())).toThrow('not a text');
    }
  });
});
