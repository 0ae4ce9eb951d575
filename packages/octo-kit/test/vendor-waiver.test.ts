import type { Waiver } from '@waiver-service/core';
import { Reading } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import { unitItemsOf } from '../src/read/unit-items.ts';
import {
  completeUnitItems,
  differences,
  newContact,
  reasonNotToSend,
  reasonToSpareWaivers,
  sharedContact,
  sideEffects,
} from '../src/write/unit-item-list.ts';
import { fillVendorWaiver } from '../src/write/vendor-waiver.ts';

const waiverOf = (changes: Partial<Waiver> = {}): Waiver => ({
  id: 'w1',
  pool: 'pool-1',
  bookingId: 'b1',
  lastVisit: '2027-06-12T08:00:00.000Z',
  deleted: false,
  updatedAt: '2027-06-11T18:00:00.123Z',
  ...changes,
});
const unexpected = () => Promise.reject(new Error('a call was made'));

describe('the vendor’s own waiver', () => {
  const fields = [
    { id: 'f1', internalName: 'Full name', required: true },
    { id: 'f2', internalName: 'Height', required: true },
    { id: 'f3', internalName: 'Nickname' },
    { id: 'f4', inputType: 'signature', internalName: 'Name', required: true },
  ];
  const product = { waivers: [{ id: 'v1', fields }] };
  function fill(booking: object, waiver: Partial<Waiver> = {}, asked?: object, status = 200) {
    const get = asked === undefined ? unexpected : async () => ({ status, headers: {}, data: asked });
    const http = { get, delete: unexpected, post: unexpected, put: unexpected, patch: unexpected };
    return fillVendorWaiver(http, { ...booking }, waiverOf({ name: 'Ann', ...waiver }));
  }

  test('has what is shared, and names the required fields that stay empty: a signature is none', async () => {
    expect(await fill({ product })).toEqual({
      isPerUnit: true,
      body: { waiverId: 'v1', waiverFieldValues: [{ fieldId: 'f1', value: 'Ann' }] },
      missing: ['Height', 'signature (drawn)'],
    });
  });

  test('belongs to the booking only where the product says so', async () => {
    const isPerUnit = async (waiverPer: unknown) =>
      (await fill({ product: { ...product, waiverPer } }))?.isPerUnit;
    expect(await isPerUnit('BOOKING')).toBe(false);
    expect([await isPerUnit('UNIT'), await isPerUnit(undefined)]).toEqual([true, true]);
  });

  test('is not sent where no shared answer fits into it, but where it asks for nothing', async () => {
    expect(await fill({ product: { waivers: [{ id: 'v1', fields: fields.slice(1) }] } })).toMatchObject({
      body: undefined,
      missing: ['Height', 'signature (drawn)'],
    });
    expect(await fill({ product: { waivers: [{ id: 'v1', fields: [] }] } })).toMatchObject({
      body: { waiverId: 'v1', waiverFieldValues: [] },
    });
  });

  test('is looked for in the product where the booking does not bring it', async () => {
    expect(await fill({ product: {}, productId: 'p1' }, {}, product)).toMatchObject({
      body: { waiverId: 'v1' },
    });
    expect(await fill({ product, productId: 'p1' })).toMatchObject({ body: { waiverId: 'v1' } });
    expect(await fill({ product: { waivers: [] }, productId: 'p1' })).toBeUndefined();
    expect(await fill({ product: {} })).toBeUndefined();
  });

  test('is none where the product is gone, and its unnamed fields stay empty', async () => {
    expect(await fill({ product: { title: 'Kayaks' }, productId: 'p1' }, {}, {}, 404)).toBeUndefined();
    const nameless = { waivers: [{ id: 'v1', fields: [{ id: 'f9', required: true }] }] };
    expect(await fill({ product: nameless })).toMatchObject({ body: undefined, missing: [''] });
  });
});

describe('a guest’s contact', () => {
  test('takes name, email and phone of what is shared', () => {
    expect(sharedContact(waiverOf({ name: 'Ann', email: 'a@b.cc', phoneNumber: '1', height: 170 }))).toEqual({
      fullName: 'Ann',
      emailAddress: 'a@b.cc',
      phoneNumber: '1',
    });
    expect(sharedContact(waiverOf())).toEqual({});
  });

  test('differs where a text field that is wanted says something else', () => {
    const wanted = { fullName: 'Ann Lee', emailAddress: 'a@b.cc', phoneNumber: '1', country: 'GB' };
    expect(differences({}, wanted)).toEqual(['fullName', 'emailAddress', 'phoneNumber']);
    expect(differences({ firstName: 'Ann', lastName: 'Lee' }, { fullName: 'Ann Lee' })).toEqual([]);
    expect(differences({ fullName: 'Ann Lee', emailAddress: ' ' }, { emailAddress: null })).toEqual([]);
    expect(differences({ firstName: 'Ann', lastName: 'Lee' }, { firstName: 'Bo', lastName: null })).toEqual([
      'firstName',
      'lastName',
    ]);
  });

  test('is written only where something differs; another name ends the divided one', () => {
    const contact = { fullName: 'Ann', firstName: 'Ann', country: 'GB' };
    expect(newContact(contact, { fullName: 'Ann' })).toBeUndefined();
    expect(newContact(contact, { emailAddress: 'a@b.cc' })).toEqual({ ...contact, emailAddress: 'a@b.cc' });
    expect(newContact(contact, { fullName: 'Bo' })).toEqual({
      fullName: 'Bo',
      firstName: null,
      lastName: null,
      country: 'GB',
    });
  });
});

const effectsOf = (...given: Parameters<typeof sideEffects>) => sideEffects(...given).effects;

describe('the unit items of a change', () => {
  const items = (...list: object[]) => unitItemsOf(new Reading(), list);

  test('are not sent where one could be lost, or its extras', () => {
    expect(reasonNotToSend(items({ uuid: 'a' }, { uuid: 'b', extraItems: [] }))).toBeUndefined();
    expect(reasonNotToSend(items({ uuid: 'a' }, {}))).toMatch(/^unitItems\[1\] has no uuid/);
    expect(reasonNotToSend(items({ uuid: 'a', extraItems: [{}] }))).toMatch(/^unitItems\[0\] has extras/);
  });

  test('keep contact, reference and answers, and one of them takes the changes', () => {
    const contact = { fullName: 'Ann' };
    const list = items(
      { uuid: 'a', unitId: 'u', resellerReference: 'R', contact, status: 'X' },
      { uuid: 'b', unitId: 'u', resellerReference: null, contact: null, questionAnswers: [] },
    );
    expect(completeUnitItems(list, 'b', { contact: { fullName: 'Bo' } })).toEqual([
      { uuid: 'a', unitId: 'u', resellerReference: 'R', contact },
      { uuid: 'b', unitId: 'u', contact: { fullName: 'Bo' } },
    ]);
  });

  test('that changed unintentionally are warned of', () => {
    const before = items(
      { uuid: 'a', supplierReference: 'S1', resellerReference: 'R1' },
      { uuid: 'b', supplierReference: null },
    );
    const [a, b] = before.map(({ value }) => value);
    expect(effectsOf(before, [a, b], 'b')).toEqual([]);
    expect(effectsOf(before, [a, { ...b, supplierReference: 'S2' }], 'b')).toEqual([]);
    expect(effectsOf(before, [{ ...a, supplierReference: 'S9' }, b], 'b')).toEqual([
      expect.stringContaining('reissued the tickets of 1 unit items'),
    ]);
    expect(effectsOf(before, [{ ...a, resellerReference: 'R9' }, b], 'b')).toEqual([
      expect.stringContaining('reseller’s references'),
    ]);
    expect(effectsOf(before, [b], 'b')).toEqual(['1 unit items are gone from the booking: look at it there']);
  });

  test('keep the vendor’s own waiver of an item that shows its answers', () => {
    const filled = { waiverId: 'v1', waiverFieldValues: [{ fieldId: 'f1', value: 'Ann', label: 'Name' }] };
    const list = items({ uuid: 'a', unitId: 'u', ...filled }, { uuid: 'b', unitId: 'u', waiverId: 'v1' });
    expect(completeUnitItems(list, 'b', { waiverId: 'v1', waiverFieldValues: [] })).toEqual([
      { uuid: 'a', unitId: 'u', waiverId: 'v1', waiverFieldValues: [{ fieldId: 'f1', value: 'Ann' }] },
      { uuid: 'b', unitId: 'u', waiverId: 'v1', waiverFieldValues: [] },
    ]);
  });

  test('are spared where only a contact would change and a signed waiver could not be sent again', () => {
    const filled = { waiverId: 'v1', waiverFieldValues: [] };
    expect(reasonToSpareWaivers(items({ uuid: 'a', waiversComplete: false }))).toBeUndefined();
    expect(reasonToSpareWaivers(items({ uuid: 'a', waiversComplete: true, ...filled }))).toBeUndefined();
    expect(reasonToSpareWaivers(items({ uuid: 'a', waiversComplete: true }))).toMatch(
      /^unitItems\[0\] has a complete waiver/,
    );
  });

  test('that lost the waiver or the contact of another guest are told of', () => {
    const contact = { fullName: 'Ann', emailAddress: null, locales: [] };
    const before = items({ uuid: 'a', waiversComplete: true, contact }, { uuid: 'b', contact });
    const [a, b] = before.map(({ value }) => value);
    expect(effectsOf(before, [{ ...a, waiversComplete: false }, b], 'b')).toEqual([
      'the vendor’s own waivers of 1 unit items are complete no more: look at them there',
    ]);
    const noContact = { fullName: null };
    expect(
      effectsOf(
        before,
        [
          { ...a, contact: noContact },
          { ...b, contact: noContact },
        ],
        'b',
      ),
    ).toEqual(['the contacts of 1 other unit items have changed: look at them there']);
    const more = { ...contact, emailAddress: 'ann@example.com' };
    expect(effectsOf(before, [{ ...a, contact: more }, b], 'b')).toEqual([]);
  });
});
