import type { Booking } from '@waiver-service/core';
import type { SigningWaiver } from '@waiver-service/integration';
import { describe, expect, it } from 'vitest';
import { isAddressRefused } from '../src/invitation-sender.ts';
import { recipientOf } from '../src/letter.ts';
import { hasAddress, recipientsOf } from '../src/recipients.ts';

const contact = { name: 'Ana Booker', email: 'ana@example.com' };
const guest = (id: string, email?: string, more: object = {}) => ({
  id,
  name: `Guest ${id}`,
  ...(email === undefined ? {} : { email }),
  ...more,
});

const bookingOf = (guests: Booking['guests'], more: Partial<Booking> = {}): Booking => ({
  id: 'b1',
  status: 'confirmed',
  contact,
  pax: guests.length,
  guests,
  bookedSessions: [{ startsAt: '2027-06-12T08:00:00Z' }],
  ...more,
});

const signedBy = (...ids: string[]): SigningWaiver[] =>
  ids.map((id) => ({ id: `w-${id}`, bookingGuestId: id, currentPage: null, validUntil: null, name: null }));

function recipients(
  booking: Booking,
  waivers: readonly SigningWaiver[] = [],
  erased: readonly string[] = [],
) {
  const isErased = ({ email, id }: { email?: string | undefined; id?: string | undefined }) =>
    [email, id].some((each) => each !== undefined && erased.includes(each));
  return recipientsOf({ booking, waivers, timeZone: 'UTC', isErased });
}

const short = (booking: Booking, ...rest: [(readonly SigningWaiver[])?, (readonly string[])?]) =>
  recipients(booking, ...rest).recipients.map(({ email, bookingGuestId, guests }) => [
    email,
    bookingGuestId,
    guests,
  ]);

describe('who is written to', () => {
  it('each guest with an address gets their own link, the booker that of the booking for the others', () => {
    const booking = bookingOf([guest('1', 'ben@example.com'), guest('2'), guest('3')]);
    expect(short(booking)).toEqual([
      ['ben@example.com', '1', 1],
      ['ana@example.com', null, 2],
    ]);
  });

  it('a guest who booked gets one message: their own link, or that of the booking if it is needed for others', () => {
    expect(short(bookingOf([guest('1', 'ANA@example.com ')]))).toEqual([['ANA@example.com', '1', 1]]);
    expect(short(bookingOf([guest('1', 'ana@example.com'), guest('2')]))).toEqual([
      ['ana@example.com', null, 2],
    ]);
  });

  it('a domain may have any script; two spellings of one address are one; before the @, only ASCII can be written to', () => {
    expect(short(bookingOf([guest('1', 'info@käse-müller.de')]))).toEqual([['info@käse-müller.de', '1', 1]]);
    const twice = bookingOf([guest('1', 'info@Käse.example'), guest('2', 'INFO@xn--kse-qla.example')]);
    expect(short(twice)).toEqual([['info@Käse.example', null, 2]]);
    const unsendable = bookingOf([guest('1', 'jürgen@example.com')], { contact: { name: 'Ana' } });
    expect(recipients(unsendable)).toEqual({ recipients: [], unreachable: 1 });
  });

  it('an address that guests share gets the booking’s link', () => {
    const booking = bookingOf([guest('1', 'fam@example.com'), guest('2', 'Fam@example.com')]);
    expect(short(booking)).toEqual([['fam@example.com', null, 2]]);
  });

  it('a guest without an id cannot have a link of their own', () => {
    const booking = bookingOf([{ name: 'Cem', email: 'cem@example.com' }]);
    expect(short(booking)).toEqual([['cem@example.com', null, 1]]);
  });

  it('guests whom the booking only counts are the booker’s, until as many have signed', () => {
    const booking = bookingOf([], { pax: 2 });
    expect(short(booking)).toEqual([['ana@example.com', null, 2]]);
    expect(short(booking, signedBy('x'))).toEqual([['ana@example.com', null, 1]]);
    expect(short(booking, signedBy('x', 'y', 'z'))).toEqual([]);
    expect(short(bookingOf([guest('1')], { pax: 2 }), signedBy('1'))).toEqual([['ana@example.com', null, 1]]);
  });

  it('a guest who has signed is not asked', () => {
    const booking = bookingOf([guest('1', 'ben@example.com'), guest('2', 'cem@example.com'), guest('3')]);
    expect(short(booking, signedBy('1', '3'))).toEqual([['cem@example.com', '2', 1]]);
    const unfinished = [{ id: 'w', bookingGuestId: '2', currentPage: 'p2', validUntil: null, name: null }];
    expect(short(booking, [...signedBy('1', '3'), ...unfinished])).toEqual([['cem@example.com', '2', 1]]);
    expect(short(booking, signedBy('1', '2', '3'))).toEqual([]);
    const runsOut = signedBy('1').map((waiver) => ({ ...waiver, validUntil: '2027-06-11' }));
    expect(short(booking, [...runsOut, ...signedBy('2', '3')])).toEqual([['ben@example.com', '1', 1]]);
  });

  it('a guest who was erased, by address or by id, is not asked', () => {
    const booking = bookingOf([guest('1', 'ben@example.com'), guest('2', 'cem@example.com'), guest('3')]);
    expect(short(booking, [], ['ben@example.com', '3'])).toEqual([['cem@example.com', '2', 1]]);
    expect(recipients(booking, [], ['ana@example.com'])).toMatchObject({ unreachable: 1 });
  });

  it('an address that is none is as if there were none', () => {
    for (const email of ['', 'x', 'a@b', 'a b@example.com', 'a@example.com\r\nBcc: b@example.com']) {
      expect(short(bookingOf([guest('1', email)]))).toEqual([['ana@example.com', null, 1]]);
    }
    const booking = bookingOf([guest('1')], { contact: { name: 'Ana', email: 'nobody' } });
    expect(recipients(booking)).toEqual({ recipients: [], unreachable: 1 });
  });

  it('the language is the guest’s, the contact’s, or the booking’s', () => {
    const languages = (more: object, ofContact: object = {}, ofBooking: object = {}) =>
      recipients(
        bookingOf([guest('1', 'ben@example.com', more), guest('2')], {
          contact: { ...contact, ...ofContact },
          ...ofBooking,
        }),
      ).recipients.map(({ language }) => language);
    expect(languages({ language: 'de-AT' })).toEqual(['de-AT', undefined]);
    expect(languages({ locales: ['fr', 'en'] }, { language: 'es' })).toEqual(['fr', 'es']);
    expect(languages({ language: 7 }, {}, { locale: 'cs' })).toEqual(['cs', 'cs']);
  });

  it('an address is of a booking whatever its case, also the booker’s', () => {
    const booking = bookingOf([guest('1', 'Ben@Example.com')]);
    expect([
      hasAddress(booking, 'ben@example.com'),
      hasAddress(booking, 'ana@example.com'),
      hasAddress(booking, 'x@example.com'),
    ]).toEqual([true, true, false]);
  });
});

it('finds the recipient of a message, however the booking writes the domain when it is read again', () => {
  const booking = bookingOf([guest('1', 'info@xn--kse-qla.example'), guest('2', 'bo@example.com')]);
  const read = { booking, ...recipients(booking) };
  expect(recipientOf({ email: 'Info@käse.example' }, read)).toMatchObject({ bookingGuestId: '1' });
  expect(recipientOf({ email: 'x@example.com' }, read)).toBe('address-changed');
  const after = { booking, ...recipients(booking, signedBy('1')) };
  expect(recipientOf({ email: 'info@käse.example' }, after)).toBe('signed');
});

it.each([
  ['RCPT TO', '550 5.1.1 The email account that you tried to reach does not exist', true],
  ['RCPT TO', '552 5.2.2 mailbox full', true],
  ['RCPT TO', '550 No such user here', true],
  ['RCPT TO', '553 5.1.3 bad address', true],
  ['RCPT TO', '550 5.1.0 <ann@example.com>: address unknown', true],
  ['RCPT TO', '550 5.1.1 <spam.sender@example.com>: Recipient address rejected: User unknown', true],
  [
    'RCPT TO',
    '550 5.1.1 <a@example.com>: Recipient address rejected: User unknown in relay recipient table',
    true,
  ],
  ['RCPT TO', '550 No such user author@example.com', true],
  ['RCPT TO', '550 5.1.8 <noreply@example.com>: Sender address rejected: Domain not found', false],
  ['RCPT TO', '553 5.1.7 <noreply@example.com>: address rejected', false],
  ['RCPT TO', '550 5.1.0 <noreply@example.com>: Sender address rejected: User unknown', false],
  ['RCPT TO', '450 4.2.1 mailbox busy', false],
  ['RCPT TO', '550 5.7.1 Unable to relay', false],
  ['RCPT TO', '550 5.7.1 your IP is blocked', false],
  ['RCPT TO', '554 relay access denied', false],
  ['RCPT TO', '550 sender rejected', false],
  ['RCPT TO', '503 need MAIL first', false],
  ['MAIL FROM', '550 5.1.1 no such sender', false],
  ['DATA', '554 5.1.1 refused', false],
  [undefined, '', false],
])('%s %s: %s', (command, text, expected) => {
  const code = text === '' ? undefined : Number(text.slice(0, 3));
  expect(isAddressRefused({ command, code, text })).toBe(expected);
});
