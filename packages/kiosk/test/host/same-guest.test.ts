import type { FormContent } from '@waiver-service/forms';
import { type SealingKey, sealEnvelope } from '@waiver-service/forms/envelope';
import { exampleForms } from '@waiver-service/forms/examples';
import { inForm, makeLink, prepareCheckIn, type TestCaller } from '@waiver-service/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { makeKiosk, startKioskHost } from '../setup/kiosk-host.ts';

const [rafting] = exampleForms;
if (rafting === undefined) throw new Error('there is no example form');
// Valid for a year, so that it can be confirmed.
const content: FormContent = { ...rafting.content, validity: { days: 365 } };
const adult = '1990-02-28';
const api = '/check-in/api';
const rounds = inForm({ short: 3, long: 20 });
const phones = [1, 2, 3, 4];

const checkIn = await prepareCheckIn(startKioskHost(), content);
afterAll(() => checkIn.close());

const email = (place: number) => `zoe-${place}@example.com`;
let booked = 0;
/** A booking with a guest for each round, from `G-0` on, read once. @returns its id */
async function book(guests = Math.max(rounds, 3)): Promise<string> {
  booked += 1;
  const id = `BK-same-${booked}`;
  const like = checkIn.system.bookings.get('BK-1001');
  if (like === undefined) throw new Error('there is no BK-1001');
  checkIn.system.bookings.add({
    ...like,
    id,
    pax: guests,
    guests: Array.from({ length: guests }, (_, place) => ({
      id: `G-${place}`,
      name: 'Zoë Bäcker',
      email: email(place),
    })),
  });
  await checkIn.app('GET', `/v1/pools/rafting/bookings/${id}`);
  return id;
}

const guestOf = (place: number) => ({ bookingGuestIds: [`G-${place}`] });
const codesOf = (answers: Awaited<ReturnType<TestCaller>>[]) =>
  answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()).toSorted();

/** What the phones of each round are answered. */
async function inRounds(send: (place: number, phone: number) => ReturnType<TestCaller>) {
  const answers: string[][] = [];
  for (let place = 0; place < rounds; place += 1) {
    answers.push(codesOf(await Promise.all(phones.map((phone) => send(place, phone)))));
  }
  return answers;
}
const eachRound = (...answers: string[]) => Array.from({ length: rounds }, () => answers);
const oneStored = eachRound('201', ...phones.slice(1).map(() => '409 already_signed'));

const signedOf = async (bookingId: string) =>
  (await checkIn.app('GET', `/v1/pools/rafting/bookings/${bookingId}`)).body.waivers.signed;

describe('the same guest signs from four phones at once, and one signing is stored', () => {
  it('by links of their own, of the booking and at a kiosk', async () => {
    const bookingId = await book();
    const { kiosk } = await makeKiosk(checkIn.host);
    const group = await checkIn.guest({ bookingId });
    const answers = await inRounds(async (place, phone) => {
      const signing = checkIn.signing([adult], guestOf(place));
      if (phone === 1) return group('POST', `${api}/signings`, signing);
      if (phone === 2) {
        const own = await checkIn.guest({ bookingId, bookingGuestId: `G-${place}` });
        return own('POST', `${api}/signings`, signing);
      }
      return kiosk('POST', `${api}/kiosk/signings`, {
        booking: { bookingSystem: 'standard', bookingId },
        signing,
      });
    });
    expect(answers).toEqual(oneStored);
  });

  it('as one of a family that overlaps with another', async () => {
    const bookingId = await book();
    const guest = await checkIn.guest({ bookingId });
    const families = [
      ['G-0', 'G-1'],
      ['G-1', 'G-0'],
      ['G-1', 'G-2'],
      ['G-2', 'G-0'],
    ];
    const answers = await Promise.all(
      families.map((bookingGuestIds) =>
        guest('POST', `${api}/signings`, checkIn.signing([adult, '2014-05-06'], { bookingGuestIds })),
      ),
    );
    expect(codesOf(answers)).toEqual(oneStored[0]);
  });

  it('from devices without a signal: the others are kept for staff', async () => {
    const bookingId = await book();
    // A link of each guest's own: of one link, only so many are kept for staff.
    const links = await Promise.all(
      Array.from({ length: rounds }, (_, place) =>
        makeLink(checkIn.app, 'rafting', { bookingId, bookingGuestId: `G-${place}` }),
      ),
    );
    const { body } = await checkIn.host.as(links[0] ?? '')('GET', `${api}/session`);
    const sealing: SealingKey = body.sealing;
    const answers = await inRounds(async (place) => {
      const token = links[place];
      const signing = checkIn.signing([adult], guestOf(place));
      const envelope = await sealEnvelope(sealing, JSON.stringify({ token, signing }));
      return checkIn.host.as(null)('POST', `${api}/sealed-signings/${sealing.id}`, { envelope });
    });
    expect(answers).toEqual(eachRound('201', '202', '202', '202'));
    const late = await checkIn.host.admin('GET', '/v1/admin/pools/rafting/late-signings?limit=100');
    const reasons: { reason: string }[] = late.body.items;
    expect(reasons.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 * rounds }, () => 'already_signed'),
    );
    expect(await signedOf(bookingId)).toBe(rounds);
  });
});
