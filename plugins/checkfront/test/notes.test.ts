import type { BookingSystemHttp } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { readXmlCall } from '../src/inbound/xml-call.ts';
import checkfront from '../src/index.ts';
import { newestNote } from '../src/write/notes.ts';
import { fixture, xmlFixture } from './fixtures.ts';
import { bookingId } from './scenarios.ts';

const mark = '[waiver w1]';

/** Looks for the newest note of today's waiver among these notes; also returns the requested paths. */
async function look(notes: unknown, { status = 200, booking = Object(fixture('detail')).booking } = {}) {
  const asked: string[] = [];
  const never = () => Promise.reject(new Error('not used'));
  const http: BookingSystemHttp = {
    get: async (path: string) => {
      asked.push(path);
      const isList = path === 'booking/notes';
      return {
        status: isList ? status : 200,
        headers: {},
        data: { request: { status: 'OK' }, ...(isList ? { notes } : { booking }) },
      };
    },
    delete: never,
    post: never,
    put: never,
    patch: never,
  };
  const account = checkfront.accountSchema.parse({ accountId: 1, apiKey: 'key', apiSecret: 'secret' });
  const { signal } = new AbortController();
  const secrets = { redact: String, redactData: String };
  const updatedAt = new Date().toISOString();
  const waiver = { id: 'w1', pool: 'p', bookingId, lastVisit: updatedAt, deleted: false, updatedAt };
  const found = await newestNote(
    { pool: 'p', installation: crypto.randomUUID(), http, settings: {}, account, secrets, signal },
    waiver,
    mark,
  );
  return { found, asked };
}
const note = (note_id: unknown, text: string, booking_id: unknown = bookingId) => ({
  note_id,
  booking_id,
  body: `${mark} ${text}`,
});

test('the newest of several notes is the one of the highest number, wherever it stands', async () => {
  for (const order of [
    [2, 10, 9],
    [10, 9, 2],
    [9, 2, 10],
  ]) {
    const { found } = await look(order.map((number) => note(number, `note ${number}`)));
    expect(found).toBe(`${mark} note 10`);
  }
});

test('notes by position are notes as well, or they would be added again', async () => {
  const { found } = await look({ 3: note(7, 'updated'), 1: note(6, 'signed') });
  expect(found).toBe(`${mark} updated`);
  expect((await look({})).found).toBeUndefined();
});

test('notes about other waivers, and what is no note, are passed over', async () => {
  const { found } = await look([
    { note_id: 9 },
    { note_id: 8, booking_id: bookingId, body: null },
    { note_id: 7, booking_id: bookingId, body: '[waiver w12] updated' },
    { note_id: 6, booking_id: bookingId, body: `${mark}signed` },
    { note_id: 5, booking_id: bookingId, body: `Staff: ${mark} signed` },
    note(4, 'signed'),
  ]);
  expect(found).toBe(`${mark} signed`);
  expect((await look([])).found).toBeUndefined();
});

test('the booking is asked for only where a note names it otherwise, and by whichever name it goes', async () => {
  const isBookingAsked = ({ asked }: { asked: string[] }) => asked.some((path) => path !== 'booking/notes');
  const ofItsCode = await look([note(1, 'signed', bookingId.toLowerCase())]);
  expect(ofItsCode.found).toBe(`${mark} signed`);
  expect(isBookingAsked(ofItsCode)).toBe(false);
  const ofAnother = await look([note(1, 'signed', 'ELSE-010101'), note(2, 'signed', null)]);
  expect(ofAnother.found).toBeUndefined();
  expect(ofAnother.asked.filter((path) => path !== 'booking/notes')).toHaveLength(1);
  const number = Object(fixture('detail')).booking.booking_id;
  const ofItsNumber = await look([note(1, 'signed', number)]);
  expect(ofItsNumber.found).toBe(`${mark} signed`);
  expect(isBookingAsked(ofItsNumber)).toBe(true);
});

test('a note that names no booking is of none, also where the booking has no number', async () => {
  const { booking_id: _, ...booking } = Object(fixture('detail')).booking;
  const { found } = await look([note(1, 'signed', null)], { booking });
  expect(found).toBeUndefined();
});

test('a list that is refused says by whom', async () => {
  await expect(look([], { status: 400 })).rejects.toThrow('Checkfront did not take the waiver (status 400)');
});

test('a call in XML may have white space around it', () => {
  const xml = xmlFixture('webhook').trim();
  expect(readXmlCall(`\n  ${xml}\n`)).toEqual(readXmlCall(xml));
});
