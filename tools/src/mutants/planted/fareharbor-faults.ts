import type { PlantedFault } from './planted-fault.ts';

const booking = 'plugins/fareharbor/src/native/read-booking.ts';
const guest = 'plugins/fareharbor/src/native/guest.ts';
const fields = 'plugins/fareharbor/src/native/custom-fields.ts';
const rebookings = 'plugins/fareharbor/src/rebookings.ts';
const push = 'plugins/fareharbor/src/writing/push-waiver.ts';
const answers = 'plugins/fareharbor/src/answers.ts';
const inbound = 'plugins/fareharbor/src/inbound.ts';
const reading = ['test/traps', 'test/reading', 'test/contract'];
const writing = ['test/reading', 'test/simulator.', 'test/contract'];
const calls = ['test/traps', 'test/contract'];

/** Slips in how FareHarbor’s bookings are read and their note is written: rebookings, customers, custom fields. */
export const fareHarborFaults: readonly PlantedFault[] = [
  {
    title: 'start and end are swapped',
    file: booking,
    find: "vendorDateTime(reading, start_at, 'availability.start_at')",
    replace: "vendorDateTime(reading, end_at, 'availability.start_at')",
    noticedBy: reading,
  },
  {
    title: 'an availability ends when it starts',
    file: booking,
    find: 'endsAt: endsAt === startsAt ? undefined : endsAt',
    replace: 'endsAt',
    noticedBy: reading,
  },
  {
    title: 'the headline goes before the name of the item',
    file: booking,
    find: 'textOf(name) ?? headline',
    replace: 'textOf(headline) ?? name',
    noticedBy: reading,
  },
  {
    title: 'the phone as it was typed goes before the normalized one',
    file: booking,
    find: 'textOf(normalized_phone) ?? phone',
    replace: 'textOf(phone) ?? normalized_phone',
    noticedBy: reading,
  },
  {
    title: 'a cancelled booking that lost its customers cannot be read',
    file: booking,
    find: 'if (!isCancelled || !isGone) {',
    replace: 'if (!isGone || isGone) {',
    noticedBy: reading,
  },
  {
    title: 'a booking without a list of customers has none',
    file: booking,
    find: 'if (!isCancelled || !isGone) {',
    replace: 'if (!isGone) {',
    noticedBy: reading,
  },
  {
    title: 'a count that differs is not told of',
    file: booking,
    find: 'count !== customers.length',
    replace: 'count < 0',
    noticedBy: reading,
  },
  {
    title: 'the count goes before the customers',
    file: booking,
    find: 'pax: customers.length',
    replace: 'pax: Number(count)',
    noticedBy: reading,
  },
  {
    title: 'the lines of waivers are shown as notes',
    file: booking,
    find: "withoutNoteLines(textOf(found.note) ?? '')",
    replace: "textOf(found.note) ?? ''",
    noticedBy: reading,
  },
  {
    title: 'a custom field called email is every guest’s address',
    file: booking,
    find: "  'email',\n",
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'a rebooked booking is active',
    file: booking,
    find: "rebooked: 'cancelled'",
    replace: "rebooked: 'active'",
    noticedBy: reading,
  },
  {
    title: 'the prototype goes before the customer type',
    file: guest,
    find: 'textOf(objectOf(type).singular) ?? textOf(objectOf(prototype).display_name)',
    replace: 'textOf(objectOf(prototype).display_name) ?? textOf(objectOf(type).singular)',
    noticedBy: reading,
  },
  {
    title: 'adults are told apart by a part of the word',
    file: guest,
    find: '/^adults?$/i',
    replace: '/adult/i',
    noticedBy: reading,
  },
  {
    title: 'children are not',
    file: guest,
    find: '/^(child|children)$/i',
    replace: '/^child$/i',
    noticedBy: reading,
  },
  {
    title: 'a custom field called id is the guest’s id',
    file: guest,
    find: "new Set(['id', 'guestId', 'name', 'participantType'])",
    replace: "new Set(['guestId', 'name', 'participantType'])",
    noticedBy: reading,
  },
  {
    title: 'guests have the name of the custom field',
    file: guest,
    find: 'answerOf(values, nameField)',
    replace: 'nameField',
    noticedBy: reading,
  },
  {
    title: 'the name field is not found by its pk',
    file: fields,
    find: '[objectOf(field).pk, objectOf(field).name, name]',
    replace: '[objectOf(field).name, name]',
    noticedBy: reading,
  },
  {
    title: 'values are shown as they are stored',
    file: fields,
    find: 'textOf(value.display_value) ?? textOf(value.value)',
    replace: 'textOf(value.value) ?? textOf(value.display_value)',
    noticedBy: reading,
  },
  {
    title: 'of a repeated field, the last counts',
    file: fields,
    find: 'if (!answers.has(name)) answers.set',
    replace: 'answers.set',
    noticedBy: reading,
  },
  {
    title: 'the name of a field must be written in one way',
    file: fields,
    find: 'textOf(one)?.toLowerCase() === wanted.toLowerCase()',
    replace: 'textOf(one) === wanted',
    noticedBy: reading,
  },
  {
    title: 'a rebooked booking is read as it was',
    file: rebookings,
    find: "await requestBooking(context, bookingId), 'rebooked_to')",
    replace: "await requestBooking(context, bookingId), 'rebooked_from')",
    noticedBy: writing,
  },
  {
    title: 'rebookings in a circle never end',
    file: rebookings,
    find: 'if (visited.has(next)) throw',
    replace: "if (next === '') throw",
    noticedBy: writing,
  },
  {
    title: 'any number of rebookings is followed',
    file: rebookings,
    find: 'if (visited.size > maxRebookings) throw',
    replace: 'if (visited.size > 10 * maxRebookings) throw',
    noticedBy: writing,
  },
  {
    title: 'the first booking counts, not the last',
    file: rebookings,
    find: 'found.unshift(',
    replace: 'found.push(',
    noticedBy: writing,
  },
  {
    title: 'a void leaves the line in the booking that was replaced',
    file: push,
    find: 'for (const one of [current, ...replaced])',
    replace: 'for (const one of [current])',
    noticedBy: writing,
  },
  {
    title: 'the line is written to every booking that was replaced',
    file: push,
    find: 'waiver.deleted ? await findReplacedBookings(context, current).catch(rejectNotFound) : []',
    replace: 'await findReplacedBookings(context, current).catch(rejectNotFound)',
    noticedBy: writing,
  },
  {
    title: 'a note that our key may not read is written over',
    file: push,
    find: "  throw new WaiverRejected(message, { retry: 'schedule' });",
    replace: '  return message.slice(0, 0);',
    noticedBy: writing,
  },
  {
    title: 'a note that is as it should be is sent again',
    file: push,
    find: 'if (note === former) return [];\n',
    replace: '',
    noticedBy: writing,
  },
  {
    title: 'another note than the one that was sent is not told of',
    file: push,
    find: 'showsOtherNote(response, note) ? [otherNote] : []',
    replace: '[]',
    noticedBy: writing,
  },
  {
    title: 'line ends of another kind are another note',
    file: push,
    find: ".replace(/[ \\t\\r]*\\n/g, '\\n')",
    replace: '',
    noticedBy: writing,
  },
  {
    title: 'a limit is taken for a wrong key',
    file: answers,
    find: "says(keyRejected) ? 'bad-key' : 'throttled'",
    replace: "'bad-key'",
    noticedBy: reading,
  },
  {
    title: 'a wrong key is taken for the limit',
    file: answers,
    find: "says(keyRejected) ? 'bad-key' : 'throttled'",
    replace: "'throttled'",
    noticedBy: reading,
  },
  {
    title: 'a wrong company is taken for a wrong booking',
    file: answers,
    find: 'if (status !== 404 || !isUnknown) return;',
    replace: 'if (status !== 400 || !isUnknown) return;',
    noticedBy: reading,
  },
  {
    title: 'the booking that was replaced is not read again',
    file: inbound,
    find: '[booking.uuid, booking.rebooked_from]',
    replace: '[booking.uuid]',
    noticedBy: calls,
  },
];
