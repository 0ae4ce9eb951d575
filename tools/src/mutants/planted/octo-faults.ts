import type { PlantedFault } from './planted-fault.ts';

const session = 'packages/octo-kit/src/native/session.ts';
const items = 'packages/octo-kit/src/native/unit-items.ts';
const booking = 'packages/octo-kit/src/native/read-booking.ts';
const guests = 'packages/octo-kit/src/native/guests.ts';
const change = 'packages/octo-kit/src/writing/booking-change.ts';
const verify = 'packages/octo-kit/src/writing/verify-change.ts';
const reading = ['test/traps', 'test/reading', 'test/contract'];
const writing = ['test/writing', 'test/contract', 'test/simulator.'];

/** Slips in how OCTO’s bookings are read and changed: unit items, people, days, tickets, and the notes of staff. */
export const octoFaults: readonly PlantedFault[] = [
  {
    title: 'the product’s time zone is dropped',
    file: session,
    find: '`availability.${name}`, timeZone);',
    replace: '`availability.${name}`);',
    noticedBy: reading,
  },
  {
    title: 'start and end are swapped',
    file: session,
    find: "readTime('localDateTimeStart');",
    replace: "readTime('localDateTimeEnd');",
    noticedBy: reading,
  },
  {
    title: 'opening hours are taken for a booked time',
    file: session,
    find: " || product.availabilityType === 'OPENING_HOURS'",
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'a day from midnight to midnight is taken for a booked time',
    file: session,
    find: 'return !(startOfDay.test(String(start)) && startOfDay.test(String(end)));',
    replace: 'return true;',
    noticedBy: reading,
  },
  {
    title: 'a whole day is taken for a booked time',
    file: session,
    find: 'availability.allDay === true || ',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'the internal name of the product goes before its title',
    file: session,
    find: 'textOf(product.title) ?? product.internalName',
    replace: 'textOf(product.internalName) ?? product.title',
    noticedBy: reading,
  },
  {
    title: 'cancelled unit items attend',
    file: items,
    find: '.filter(({ value }) => !isCancelled(value.status))',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'a cancelled booking loses its unit items',
    file: items,
    find: 'if (isCancelled(status)) return unitItemsOf(reading, unitItems ?? []);',
    replace: 'if (isCancelled(status)) return [];',
    noticedBy: reading,
  },
  {
    title: 'two guests of one uuid are one',
    file: items,
    find: 'if (occurrence === 1) return',
    replace: 'if (occurrence >= 1) return',
    noticedBy: reading,
  },
  {
    title: 'a family ticket is one person',
    file: booking,
    find: 'requiredCount(reading, paxCount ?? 1,',
    replace: 'requiredCount(reading, 1,',
    noticedBy: reading,
  },
  {
    title: 'the lines of waivers are shown as notes',
    file: booking,
    find: "textOf(withoutNoteLines(textOf(found.notes) ?? ''))",
    replace: 'textOf(found.notes)',
    noticedBy: reading,
  },
  {
    title: 'times that are not valid hide that a booking is cancelled',
    file: booking,
    find: 'isCancelled(found.status) ? new Reading() : reading',
    replace: 'reading',
    noticedBy: reading,
  },
  {
    title: 'the supplier’s reference is the reseller’s',
    file: booking,
    find: 'textOf(found.supplierReference)',
    replace: 'textOf(found.resellerReference)',
    noticedBy: reading,
  },
  {
    title: 'the booker’s contact, copied to all, names all guests',
    file: guests,
    find: '!isCopied || !hasBookersContact(item)',
    replace: 'true',
    noticedBy: reading,
  },
  {
    title: 'a single guest with the booker’s contact has no name',
    file: guests,
    find: '.length > 1;',
    replace: '.length > 0;',
    noticedBy: reading,
  },
  {
    title: 'the email address is not found',
    file: guests,
    find: 'emailAddress',
    replace: 'email',
    noticedBy: reading,
  },
  {
    title: 'answers are listed by the id of their question',
    file: guests,
    find: 'textOf(objectOf(question).label) ?? textOf(questionId)',
    replace: 'textOf(questionId) ?? textOf(objectOf(question).label)',
    noticedBy: reading,
  },
  {
    title: 'a type is passed on in capitals',
    file: guests,
    find: "word === 'ADULT' || word === 'CHILD'",
    replace: "word === 'CHILD'",
    noticedBy: reading,
  },
  {
    title: 'the notes of staff are replaced',
    file: change,
    find: 'withNoteLine(former, waiver)',
    replace: "withNoteLine('', waiver)",
    noticedBy: writing,
  },
  {
    title: 'a booking that cannot be changed is changed',
    file: change,
    find: 'const mayChangeCore = booking.cancellable !== false;',
    replace: 'const mayChangeCore = true;',
    noticedBy: writing,
  },
  {
    title: 'the contact is written by a void',
    file: change,
    find: 'guest === undefined || waiver.deleted ? undefined',
    replace: 'guest === undefined ? undefined',
    noticedBy: writing,
  },
  {
    title: 'unit items are sent though none of them changes',
    file: change,
    find: 'if (isEmpty(inItem)) return inBooking;\n',
    replace: '',
    noticedBy: writing,
  },
  {
    title: 'a void whose line stayed is accepted',
    file: verify,
    find: 'if (isNoteLost && waiver.deleted) {',
    replace: 'if (isNoteLost && waiver.deleted && guest === null) {',
    noticedBy: writing,
  },
  {
    title: 'a change of which nothing was kept is accepted',
    file: verify,
    find: 'if (isNoteLost && !isContactStored && !isVendorWaiverSent(change)) {',
    replace: 'if (isNoteLost && isContactStored && !isVendorWaiverSent(change)) {',
    noticedBy: writing,
  },
  {
    title: 'reissued tickets are not told of',
    file: verify,
    find: 'isEmpty(inItem) ? [] : sideEffects(items, after.unitItems)',
    replace: '[]',
    noticedBy: writing,
  },
];
