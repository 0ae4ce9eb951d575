import type { Waiver } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerForField,
  isTimeZone,
  Reading,
  sharedNameOf,
  utcOfLocalDateTime,
  vendorDateTime,
  vendorText,
} from '../src/index.ts';

describe('a local time in a known zone', () => {
  test.each([
    ['2023-11-02 09:00:00', 'Australia/Sydney', '2023-11-01T22:00:00Z'],
    ['2027-06-12T09:30', 'Europe/London', '2027-06-12T08:30:00Z'],
    ['2027-01-12T09:30:00', 'America/New_York', '2027-01-12T14:30:00Z'],
    ['2027-01-01 00:15:00', 'Pacific/Kiritimati', '2026-12-31T10:15:00Z'],
    ['2027-06-12 09:00:00', 'Asia/Kathmandu', '2027-06-12T03:15:00Z'],
    ['1910-06-12 09:00:00', 'Africa/Monrovia', '1910-06-12T09:43:08Z'],
  ])('%s in %s is %s', (text, timeZone, utc) => {
    expect(utcOfLocalDateTime(text, timeZone)?.slice(0, 16)).toBe(utc.slice(0, 16));
  });

  test('an ambiguous time is the earlier one, a skipped time moves forward by the change', () => {
    expect(utcOfLocalDateTime('2026-10-25 02:30:00', 'Europe/Berlin')).toBe('2026-10-25T00:30:00Z');
    expect(utcOfLocalDateTime('2026-03-29 02:30:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00Z');
    expect(utcOfLocalDateTime('2026-11-01 01:30:00', 'America/New_York')).toBe('2026-11-01T05:30:00Z');
    expect(utcOfLocalDateTime('2026-03-08 02:30:00', 'America/New_York')).toBe('2026-03-08T07:30:00Z');
  });

  test('seconds and fractions are preserved', () => {
    expect(utcOfLocalDateTime('2027-06-12 09:00:07', 'Europe/Berlin')).toBe('2027-06-12T07:00:07Z');
    expect(utcOfLocalDateTime(' 2027-06-12T09:00:07.250 ', 'Europe/Berlin')).toBe('2027-06-12T07:00:07.250Z');
    expect(utcOfLocalDateTime('2026-03-29 02:30:07.250', 'Europe/Berlin')).toBe('2026-03-29T01:30:07.250Z');
    expect(utcOfLocalDateTime('1910-06-12 09:00:00', 'Africa/Monrovia')).toBe('1910-06-12T09:43:08Z');
  });

  test('times just before and after a change of clocks are unaffected', () => {
    const inBerlin = (text: string) => utcOfLocalDateTime(text, 'Europe/Berlin');
    expect(inBerlin('2026-03-29 01:59:59')).toBe('2026-03-29T00:59:59Z');
    expect(inBerlin('2026-03-29 03:00:00')).toBe('2026-03-29T01:00:00Z');
    expect(inBerlin('2026-03-29 23:30:00')).toBe('2026-03-29T21:30:00Z');
    expect(inBerlin('2026-03-28 12:00:00')).toBe('2026-03-28T11:00:00Z');
    expect(inBerlin('2026-10-25 01:59:59')).toBe('2026-10-24T23:59:59Z');
    expect(inBerlin('2026-10-25 03:00:00')).toBe('2026-10-25T02:00:00Z');
    expect(inBerlin('2026-12-31 23:59:59')).toBe('2026-12-31T22:59:59Z');
  });

  test('anything but a local time is undefined', () => {
    for (const text of [
      '',
      'soon',
      '2027-06-12',
      '2027-02-30 09:00:00',
      '2027-06-12T09:00:00Z',
      '2027-06-12 09:00+02',
    ]) {
      expect(utcOfLocalDateTime(text, 'Europe/Berlin')).toBeUndefined();
    }
  });

  test('every moment survives the round trip through local time, or is the earlier of an ambiguous pair', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
    const moments = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2060-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (timeZone, date) => {
        const moment = Math.floor(date.getTime() / 1000) * 1000;
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
        const found = Date.parse(utcOfLocalDateTime(shown.format(moment), timeZone) ?? '');
        expect(shown.format(found)).toBe(shown.format(moment));
        expect(found).toBeLessThanOrEqual(moment);
      }),
    );
  });

  test('a zone is an IANA name', () => {
    expect(['Europe/Lisbon', 'UTC', 'Mars/Olympus', '', 'Lisbon'].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('fields as vendors write them', () => {
  test('every spelling of an empty field is undefined, without a warning', () => {
    const reading = new Reading();
    expect([null, undefined, '', '  '].map((value) => vendorText(reading, value, 'phone'))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(vendorText(reading, ' Ada ', 'name')).toBe('Ada');
    expect(reading.warnings).toEqual([]);
    expect(vendorText(reading, 4915, 'phone')).toBe('4915');
    expect(reading.warnings.map(({ code }) => code)).toEqual(['number_as_string']);
  });

  test('any offset is accepted; without one, the account’s zone is needed', () => {
    const reading = new Reading();
    expect(vendorDateTime(reading, '2021-04-05T12:30:00+0200', 'start')).toBe('2021-04-05T10:30:00Z');
    expect(vendorDateTime(reading, null, 'start')).toBeUndefined();
    expect(vendorDateTime(reading, '2021-04-05 12:30:00', 'start', 'Europe/Rome')).toBe(
      '2021-04-05T10:30:00Z',
    );
    reading.throwIfRefused();
    vendorDateTime(reading, '2021-04-05 12:30:00', 'items[0].start');
    expect(() => reading.throwIfRefused()).toThrow(
      /items\[0\]\.start is "2021-04-05 12:30:00".*no time zone/,
    );
  });

  test('an implausible year is a warning, with or without a zone', () => {
    const reading = new Reading();
    for (const text of ['0001-01-01T00:00:00+02:00', '0001-01-01 00:00:00', '9999-12-31T23:59:59Z']) {
      expect(vendorDateTime(reading, text, 'end', 'Europe/Rome')).toBeUndefined();
    }
    reading.throwIfRefused();
    expect(reading.warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(
      Array(3).fill('value_ignored end'),
    );
  });
});

describe('a vendor’s date-time that cannot be read', () => {
  const refusalOf = (value: unknown, timeZone?: string) => {
    const reading = new Reading();
    expect(vendorDateTime(reading, value, 'start', timeZone)).toBeUndefined();
    try {
      reading.throwIfRefused();
    } catch (error) {
      return String(error);
    }
    return undefined;
  };

  test('is refused and quoted; another type is a warning, an empty value is neither', () => {
    expect(refusalOf('soon')).toContain('start is "soon", which is not an ISO 8601 date-time');
    expect(refusalOf('2027-06-12 09:00:00', 'Mars/Olympus')).toContain('the account’s is not known');
    expect(refusalOf('2027-02-30 09:00:00', 'Europe/Rome')).toContain('not an ISO 8601 date-time');
    expect(refusalOf(' ')).toBeUndefined();
    const reading = new Reading();
    expect(vendorDateTime(reading, {}, 'start')).toBeUndefined();
    expect(reading.warnings).toMatchObject([{ code: 'value_ignored', path: 'start' }]);
    reading.throwIfRefused();
  });

  test('is a warning if its year is implausible', () => {
    const reading = new Reading();
    vendorDateTime(reading, '0001-01-01T00:00:00Z', 'end');
    expect(reading.warnings).toEqual([
      {
        code: 'value_ignored',
        path: 'end',
        message: 'end is "0001-01-01T00:00:00Z", which is not from the year 1900 to 2199; it was ignored',
      },
    ]);
  });
});

describe('a shared answer for a vendor’s field', () => {
  const waiver: Waiver = {
    id: 'w',
    pool: 'pool-1',
    bookingId: 'b',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-11T18:00:00.123Z',
    name: 'Ada',
    dateOfBirth: '1990-12-10',
    minor: false,
    allergies: ['nuts'],
    notes: '',
  };

  test('is found by its label, in any spelling', () => {
    const labels = ['Full Name', 'NAME', 'date_of_birth', 'Date of birth', 'DOB', 'Minor'];
    expect(labels.map((label) => answerForField(waiver, label))).toEqual([
      'Ada',
      'Ada',
      '1990-12-10',
      '1990-12-10',
      '1990-12-10',
      'false',
    ]);
  });

  test('is found by each of its aliases', () => {
    const shared = { ...waiver, email: 'ada@example.com', phoneNumber: 4915, minor: true, weight: 0 };
    const found: [label: string, answer: string][] = [
      ['Full-Name', 'Ada'],
      ['Email Address', 'ada@example.com'],
      ['E-mail', 'ada@example.com'],
      ['Phone', '4915'],
      ['Mobile', '4915'],
      ['Mobile Phone', '4915'],
      ['Phone number', '4915'],
      ['Birth date', '1990-12-10'],
      ['D.O.B.', '1990-12-10'],
      ['Minor?', 'true'],
      ['Weight', '0'],
    ];
    expect(found.map(([label]) => [label, answerForField(shared, label)])).toEqual(found);
    expect(answerForField({ ...waiver, größe: '170' }, 'Größe')).toBe('170');
    expect(answerForField({ ...waiver, notes: undefined, name: null }, 'Full name')).toBeUndefined();
  });

  test('is that of the very word in any script, and of the same letters in any encoding', () => {
    const words = ['पता', 'पिता', 'पति', 'ที่อยู่', 'Prénom', 'عنوان'];
    const shared = { ...waiver, ...Object.fromEntries(words.map((word) => [word, `answer to ${word}`])) };
    expect(words.map((word) => answerForField(shared, `${word}: `))).toEqual(
      words.map((word) => `answer to ${word}`),
    );
    for (const word of words.slice(1)) {
      expect(answerForField({ ...waiver, पता: 'another' }, word)).toBeUndefined();
    }
    expect(answerForField(shared, 'PRÉNOM'.normalize('NFD'))).toBe('answer to Prénom');
    expect(answerForField({ ...waiver, ['größe'.normalize('NFD')]: '170' }, 'Größe')).toBe('170');
    expect(answerForField({ ...waiver, diet: 'vegan' }, '\u26a0\ufe0f Diet')).toBe('vegan');
    expect(answerForField({ ...waiver, isim: 'Ada' }, 'İsim')).toBe('Ada');
  });

  test('is a name, also where only its parts are shared', () => {
    const { name: _name, ...nameless } = waiver;
    const names = [
      waiver,
      { ...nameless, firstName: 'Ada', lastName: 'King' },
      { ...nameless, lastName: 'King' },
    ];
    expect(names.map(sharedNameOf)).toEqual(['Ada', 'Ada King', 'King']);
    expect(sharedNameOf(nameless)).toBeUndefined();
  });

  test('is never one of the contract’s fields, an empty one or a list', () => {
    for (const label of [
      'id',
      'Pool',
      'Booking ID',
      'deleted',
      'Allergies',
      'Notes',
      'First Name',
      '',
      '—',
    ]) {
      expect(answerForField(waiver, label)).toBeUndefined();
    }
  });
});
