import { connect } from '@waiver-service/contract-suite';
import type { Waiver } from '@waiver-service/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookeoBooking, bookeoCustomer, type SimulatedBookeo, startBookeo } from '../simulator/index.ts';
import bookeo from '../src/index.ts';

const keys = { apiKey: 'account-key-1', secretKey: 'secret-key-1' };
const { bookingNumber, customerId } = bookeoBooking;
const linkedId = '4155700L1';
const staffWrote = 'Paper waiver of 2025 in the blue folder';
let system: SimulatedBookeo;
beforeEach(async () => {
  system = await startBookeo(keys);
});
afterEach(() => system.close());

const connected = (account: object = {}) =>
  connect(bookeo, {
    baseUrl: system.url,
    settings: { secretKey: keys.secretKey },
    account: { apiKey: keys.apiKey, ...account },
  });
const push = (changes: Partial<Waiver> = {}, account: object = {}) =>
  connected(account).push({
    bookingId: bookingNumber,
    bookingGuestId: 'Cadults-1',
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const waiversOf = (linkedPersonId?: string) =>
  system.person(customerId, linkedPersonId)?.customFields?.find(({ name }) => name === 'Waiver')?.value;
/** The start of a waiver's line. */
const marker = (id: string) => `[waiver ${id}@${bookingNumber}]`;
const changes = () => system.received.filter(({ route }) => route === 'person').length;

describe('over real HTTP', () => {
  test('two waivers of one person have a line each', async () => {
    await push({ id: 'w1' });
    await push({ id: 'w1/2' });
    expect(waiversOf()).toBe(
      `${staffWrote}\n${marker('w1')} updated 2027-06-10 [end]\n${marker('w1%2F2')} updated 2027-06-10 [end]`,
    );
  });

  test('a waiver that moved to another booking of the same person keeps its line there, in either order', async () => {
    const [former, next] = [{ bookingId: bookingNumber }, { bookingId: '1551811041999999' }];
    for (const last of [
      [next, { ...former, deleted: true }],
      [{ ...former, deleted: true }, next],
    ]) {
      await system.close();
      system = await startBookeo(keys);
      system.put({ ...bookeoBooking, bookingNumber: next.bookingId });
      for (const one of [former, ...last]) {
        expect(await push(one)).toEqual({ accepted: true, warnings: [] });
      }
      expect(waiversOf()).toBe(`${staffWrote}\n[waiver w1@1551811041999999] updated 2027-06-10 [end]`);
    }
  });

  test('a void leaves an old line of the same day, which may be of another booking, and says so', async () => {
    const oldLine = (day: string) => ({
      id: 'F1',
      name: 'Waiver',
      value: `[waiver w1] updated ${day} [end]`,
    });
    for (const [day, pushed, text] of [
      ['2027-06-09', { accepted: true, warnings: [] }, ''],
      [
        '2027-06-10',
        { accepted: false, reason: expect.stringContaining('may be of another one'), warnings: [] },
        oldLine('2027-06-10').value,
      ],
    ] as const) {
      await system.close();
      const person = { ...bookeoCustomer.person, customFields: [oldLine(day)] };
      system = await startBookeo({ ...keys, customers: [{ ...bookeoCustomer, person }] });
      expect(await push({ deleted: true })).toEqual(pushed);
      expect(waiversOf()).toBe(text);
    }
    await push({ bookingGuestId: 'Cchildren-1' });
    expect([waiversOf(), waiversOf(linkedId)]).toEqual(['', `${marker('w1')} updated 2027-06-10 [end]`]);
  });

  test('other fields that Bookeo loses with the line are a warning that names them, and no value', async () => {
    const [{ customFields: _kept, ...linked } = { id: '' }] = bookeoCustomer.linkedPeople;
    const value = `${marker('w1')} updated 2027-06-10 [end]`;
    const place = { personId: linkedId, peopleCategoryId: 'Cchildren', categoryIndex: 1 };
    const shown = (personDetails: object) => {
      const participants = { ...bookeoBooking.participants, details: [{ ...place, personDetails }] };
      return { ...bookeoBooking, participants, customer: bookeoCustomer.person };
    };
    const line = { name: 'Waiver', value };
    const shoes = { id: 'F2', value: '34' };
    for (const [after, names] of [
      [{ ...linked, customFields: [line] }, ['custom field "Shoe size"']],
      [{ ...linked, customFields: [line, { ...shoes, value: '35' }] }, ['custom field "Shoe size"']],
      [{ ...linked, dateOfBirth: '', customFields: [line, shoes] }, ['dateOfBirth']],
      [{ ...linked, streetAddress: { city: 'Innsbruck' }, customFields: [line, shoes] }, ['streetAddress']],
      [{ ...linked, firstName: ' Ægir', memo: 'new', customFields: [shoes, line] }, undefined],
    ] as const) {
      await system.close();
      system = await startBookeo(keys);
      system.faults.next('read', { kind: 'latency', milliseconds: 1 });
      system.faults.next('read', { kind: 'status', status: 200, body: shown(after) });
      const warning = {
        code: 'waiver_partly_written',
        message: expect.stringContaining(`(${names?.join(', ')})`),
      };
      expect(await push({ bookingGuestId: 'Cchildren-1' }), JSON.stringify(after)).toEqual({
        accepted: true,
        warnings: names === undefined ? [] : [warning],
      });
    }
  });

  test('a waiver field that is no text is not overwritten', async () => {
    for (const value of [['Paper'], 7, { text: 'Paper' }, true]) {
      const customer = { ...bookeoCustomer.person, customFields: [{ name: 'Waiver', value }] };
      for (const deleted of [false, true]) {
        system.faults.next('read', { kind: 'status', status: 200, body: { ...bookeoBooking, customer } });
        await expect(push({ deleted })).rejects.toMatchObject({
          code: 'waiver_rejected',
          retry: 'schedule',
          message: expect.stringMatching(/custom field "Waiver" .*not a text/),
        });
      }
    }
    expect(changes()).toBe(0);
  });

  test('if another person takes the place, the line moves to them', async () => {
    await push();
    const { participants } = bookeoBooking;
    const details = [{ personId: linkedId, peopleCategoryId: 'Cadults', categoryIndex: 1 }];
    system.put({ ...bookeoBooking, participants: { ...participants, details } });
    await push({ updatedAt: '2027-06-11T08:00:00.000Z' });
    expect([waiversOf(), waiversOf(linkedId)]).toEqual([
      staffWrote,
      `${marker('w1')} updated 2027-06-11 [end]`,
    ]);
  });

  test('for an unknown place nothing is written, with a reason', async () => {
    for (const bookingGuestId of ['Cadults-9', undefined]) {
      const pushed = await push({ bookingGuestId, diet: 'vegan' });
      expect(pushed).toMatchObject({ accepted: false, reason: expect.stringContaining('no place') });
    }
    expect(system.received.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(JSON.stringify(system.person(customerId))).not.toContain('vegan');
  });

  test('without the custom field, the error says which one to create', async () => {
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toThrow(
      /custom field "Haftung".*there is no customer custom field/,
    );
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toMatchObject({ retry: 'three-attempts' });
  });

  test('a custom field that Bookeo takes and does not keep is said, whether written or removed', async () => {
    const withLine = { id: 'F1', name: 'Waiver', value: `${marker('w1')} updated 2027-06-09 [end]` };
    for (const [customFields, deleted, reason] of [
      [bookeoCustomer.person.customFields, false, 'does not show the waiver in the custom field "Waiver"'],
      [[withLine], true, 'left the waiver’s line'],
    ] as const) {
      await system.close();
      const person = { ...bookeoCustomer.person, customFields };
      const customers = [{ ...bookeoCustomer, person }];
      system = await startBookeo({ ...keys, customers, keepsCustomFields: false });
      expect(await push({ deleted })).toMatchObject({
        accepted: false,
        reason: expect.stringContaining(reason),
      });
      expect(system.received.map(({ route }) => route)).toEqual(['read', 'person', 'read']);
    }
  });

  test('a line that stays with who held the place before is a warning', async () => {
    const before = { id: 'F1', name: 'Waiver', value: `${marker('w1')} updated 2027-06-09 [end]` };
    await system.close();
    const [linked] = bookeoCustomer.linkedPeople;
    if (linked === undefined) throw new Error('the example has no linked person');
    const linkedPeople = [{ ...linked, customFields: [before] }];
    const person = {
      ...bookeoCustomer.person,
      customFields: [{ ...before, value: `${marker('w1')} updated 2027-06-10 [end]` }],
    };
    system = await startBookeo({
      ...keys,
      customers: [{ person, linkedPeople }],
      keepsCustomFields: false,
    });
    expect(await push()).toEqual({
      accepted: true,
      warnings: [
        { code: 'waiver_partly_written', message: expect.stringContaining('left the waiver’s line') },
      ],
    });
  });

  test('a void of a waiver whose place is gone has nothing to do', async () => {
    const pushed = await push({ bookingGuestId: 'Cadults-9', deleted: true });
    expect(pushed).toEqual({ accepted: true, warnings: [] });
    expect(changes()).toBe(0);
  });

  test('the field is found by id and by name, case-insensitively', async () => {
    await push({ id: 'w1' }, { waiverField: 'f1' });
    await push({ id: 'w2' }, { waiverField: 'WAIVER' });
    expect(waiversOf()?.split('\n')).toHaveLength(3);
  });

  test('a change without a response is in doubt, and is not made twice', async () => {
    system.faults.next('person', { kind: 'reset', when: 'after-headers' });
    await expect(push()).rejects.toMatchObject({ inDoubt: true });
    await push();
    expect(waiversOf()?.match(/\[waiver w1@/g)).toHaveLength(1);
    expect(changes()).toBe(1);
  });
});
