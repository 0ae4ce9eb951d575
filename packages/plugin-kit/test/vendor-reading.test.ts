import type { Waiver } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerForField,
  filledText,
  isTimeZone,
  Reading,
  utcOfLocalDateTime,
  vendorDateTime,
} from '../src/index.ts';

describe('a local time in a known zone', () => {
  test.each([
    ['2023-11-02 09:00:00', 'Australia/Sydney', '2023-11-01T22:00:00Z'],
    ['2027-06-12T09:30', 'Europe/London', '2027-06-12T08:30:00Z'],
    ['2027-01-12T09:30:00', 'America/New_York', '2027-01-12T14:30:00Z'],
    ['2027-01-01 00:15:00', 'Pacific/Kiritimati', '2026-12-31T10:15:00Z'],
    ['2027-06-12 09:00:00', 'Asia/Kathmandu', '2027-06-12T03:15:00Z'],
    ['1890-06-12 09:00:00', 'Europe/Amsterdam', '1890-06-12T08:42:30Z'],
  ])('%s in %s is %s', (text, timeZone, utc) => {
    expect(utcOfLocalDateTime(text, timeZone)?.slice(0, 16)).toBe(utc.slice(0, 16));
  });

  test('an hour that comes twice is the first, one that is skipped moves on by the change', () => {
    expect(utcOfLocalDateTime('2026-10-25 02:30:00', 'Europe/Berlin')).toBe('2026-10-25T00:30:00Z');
    expect(utcOfLocalDateTime('2026-03-29 02:30:00', 'Europe/Berlin')).toBe('2026-03-29T01:30:00Z');
    expect(utcOfLocalDateTime('2026-11-01 01:30:00', 'America/New_York')).toBe('2026-11-01T05:30:00Z');
    expect(utcOfLocalDateTime('2026-03-08 02:30:00', 'America/New_York')).toBe('2026-03-08T07:30:00Z');
  });

  test('what is no local time is not read', () => {
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

  test('every moment is found again from what the clocks show, or the one before the clocks went back', () => {
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

  test('a zone is one of the IANA database', () => {
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
  test('nothing is nothing, in each spelling, without a warning', () => {
    const reading = new Reading();
    expect([null, undefined, '', '  '].map((value) => filledText(reading, value, 'phone'))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(filledText(reading, ' Ada ', 'name')).toBe('Ada');
    expect(reading.warnings).toEqual([]);
    expect(filledText(reading, 4915, 'phone')).toBe('4915');
    expect(reading.warnings.map(({ code }) => code)).toEqual(['number_as_string']);
  });

  test('an offset is as good as Z; without one, the account’s zone is needed', () => {
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

  test('is found by its label, however that is written', () => {
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
