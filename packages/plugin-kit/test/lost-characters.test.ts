import { expect, test } from 'vitest';
import { readBooking } from '../src/index.ts';

const sessions = [
  {
    startsAt: '2027-06-12T07:30:00Z',
    endsAt: '2027-06-12T08:30:00Z',
    activityId: 'a',
    activityName: 'Rafting',
  },
];
const body = {
  id: 'B1',
  status: 'Active',
  contact: { name: 'Jürgen' },
  pax: 2,
  guests: [
    { id: 'g1', name: 'Ann' },
    { id: 'g2', name: 'Bo' },
  ],
  bookedSessions: sessions,
};
const lostIn = (booking: object) =>
  readBooking(booking).warnings.filter(({ code }) => code === 'characters_lost');

test('characters that could not be decoded are a warning that names the first place and counts the others', () => {
  expect(lostIn(body)).toEqual([]);
  expect(lostIn({ ...body, contact: { name: 'J\uFFFDrgen' } })).toMatchObject([
    { path: 'contact.name', message: expect.stringMatching(/^a text has .*UTF-8/) },
  ]);
  const guests = [
    { id: 'g1', name: 'Ann' },
    { id: 'g2', name: '\uFFFD', custom: { deep: ['ok', '\uFFFD'] } },
  ];
  expect(lostIn({ ...body, guests })).toMatchObject([
    { path: 'guests[1].name', message: expect.stringMatching(/^2 texts have/) },
  ]);
});

test('the legacy form warns alike', () => {
  const { bookedSessions, ...others } = body;
  const legacy = {
    ...others,
    startsAt: '2027-06-12T07:30:00Z',
    endsAt: '2027-06-12T08:30:00Z',
    activities: [{ activity: 'Caf\uFFFD', activityId: 'a' }],
    guests: [{ guestId: 'g1', name: 'Ann' }],
  };
  expect(lostIn(legacy)).toHaveLength(1);
});
