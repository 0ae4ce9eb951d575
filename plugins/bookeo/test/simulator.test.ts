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
      [{ ...linked, dateOfBirth: '', customFields: [line, shoes] }, ['dateOfBirth']],
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

  test('without the custom field, the error says which one to create', async () => {
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toThrow(
      /custom field "Haftung".*there is no customer custom field/,
    );
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toMatchObject({ retry: 'three-attempts' });
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
