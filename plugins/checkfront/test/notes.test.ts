import { connect } from '@waiver-service/contract-suite';
import nock from 'nock';
import { expect, onTestFinished, test } from 'vitest';
import { readXmlCall } from '../src/inbound.ts';
import checkfront from '../src/index.ts';
import { newestNote } from '../src/write.ts';
import { fixture, xmlFixture } from './fixtures.ts';
import { bookingId } from './scenarios.ts';

const mark = '[waiver w1]';

/** Looks for the newest note of today's waiver among these notes; also counts the requests for the booking. */
async function look(notes: unknown, { status = 200, booking = Object(fixture('detail')).booking } = {}) {
  nock.cleanAll();
  let bookingRequests = 0;
  nock('https://lakeside.checkfront.com/api/3.0')
    .persist()
    .get('/booking/notes')
    .query(true)
    .reply(status, { request: { status: 'OK' }, notes })
    .get(`/booking/${bookingId}`)
    .reply(200, () => {
      bookingRequests += 1;
      return { request: { status: 'OK' }, booking };
    });
  onTestFinished(() => nock.cleanAll());
  const { contextFor } = connect(checkfront, {
    baseUrl: null,
    account: { apiKey: 'key', apiSecret: 'secret', host: 'lakeside' },
  });
  const updatedAt = new Date().toISOString();
  const waiver = { id: 'w1', pool: 'p', bookingId, lastVisit: updatedAt, deleted: false, updatedAt };
  const found = await newestNote(contextFor('guest-update'), waiver, mark);
  return { found, bookingRequests };
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
  const ofItsCode = await look([note(1, 'signed', bookingId.toLowerCase())]);
  expect(ofItsCode.found).toBe(`${mark} signed`);
  expect(ofItsCode.bookingRequests).toBe(0);
  const ofAnother = await look([note(1, 'signed', 'ELSE-010101'), note(2, 'signed', null)]);
  expect(ofAnother.found).toBeUndefined();
  expect(ofAnother.bookingRequests).toBe(1);
  const number = Object(fixture('detail')).booking.booking_id;
  const ofItsNumber = await look([note(1, 'signed', number)]);
  expect(ofItsNumber.found).toBe(`${mark} signed`);
  expect(ofItsNumber.bookingRequests).toBe(1);
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
