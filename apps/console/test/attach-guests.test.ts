import { expect, test } from 'vitest';
import {
  bookingChoice,
  chosenBooking,
  chosenWaivers,
  proposedChoices,
} from '../src/pages/day-board/attach-guests.ts';

const guests = [
  { id: 'g1', name: 'Ann' },
  { id: 'g2', name: 'ida ' },
  { id: 'g3', name: undefined },
];

const waiversOf = (...names: string[]) => names.map((name, index) => ({ id: `w${index}`, name }));

test('waivers are proposed for guests of the same name', () => {
  const waivers = waiversOf('Ida', '\u00a0ANN', 'Bob');
  const choices = proposedChoices(waivers, guests);
  expect(choices).toEqual({ w0: 'guest:g2', w1: 'guest:g1', w2: 'none' });
  expect(chosenWaivers(waivers, { ...choices, w2: 'leave' })).toEqual([
    { id: 'w0', bookingGuestId: 'g2' },
    { id: 'w1', bookingGuestId: 'g1' },
  ]);
});

test('no guest is proposed if another guest or another waiver has the same name', () => {
  expect(proposedChoices(waiversOf('Ann', 'ann'), guests)).toEqual({ w0: 'none', w1: 'none' });
  expect(proposedChoices(waiversOf('Ann'), [...guests, { id: 'g4', name: 'ANN' }])).toEqual({ w0: 'none' });
});

test('a chosen booking stays chosen wherever the list has it, and is not replaced once it has gone', () => {
  const [first, second] = ['BK-1', 'BK-2'].map((bookingId) => ({ bookingSystem: 'standard', bookingId }));
  if (first === undefined || second === undefined) throw new Error('there are no bookings');
  const choice = bookingChoice(second);
  expect(chosenBooking([first, second], choice)).toEqual({ choice, booking: second });
  expect(chosenBooking([second], choice)).toEqual({ choice, booking: second });
  expect(chosenBooking([{ ...second, bookingSystem: 'octo' }], choice)).toEqual({ choice: '' });
  expect(chosenBooking([], choice)).toEqual({ choice: 'other' });
  expect(chosenBooking([second], 'other')).toEqual({ choice: 'other' });
});
