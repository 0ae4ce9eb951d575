import type { PlantedFault } from './planted-fault.ts';

const sessions = 'plugins/checkfront/src/native/sessions.ts';
const people = 'plugins/checkfront/src/native/people.ts';
const booking = 'plugins/checkfront/src/native/read-booking.ts';
const detail = 'plugins/checkfront/src/native/detail.ts';
const webhook = 'plugins/checkfront/src/native/webhook.ts';
const index = 'plugins/checkfront/src/native/index-entry.ts';
const fetch = 'plugins/checkfront/src/fetch-booking.ts';
const inbound = 'plugins/checkfront/src/inbound.ts';
const notes = 'plugins/checkfront/src/writing/notes.ts';
const push = 'plugins/checkfront/src/writing/push-waiver.ts';
const reading = ['test/traps', 'test/contract'];
const writing = ['test/notes', 'test/traps', 'test/simulator.', 'test/contract'];

/** Slips in how Checkfront’s three shapes are read, and its notes written: times, people, statuses, days. */
export const checkfrontFaults: readonly PlantedFault[] = [
  {
    title: 'start and end are swapped',
    file: sessions,
    find: 'utcOf(start_date)',
    replace: 'utcOf(end_date)',
    noticedBy: reading,
  },
  {
    title: 'a day is taken for seconds',
    file: sessions,
    find: 'seconds < minSeconds || ',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'seconds are taken for milliseconds',
    file: sessions,
    find: 'new Date(seconds * 1000)',
    replace: 'new Date(seconds)',
    noticedBy: reading,
  },
  {
    title: 'a slot without a duration ends when it starts',
    file: sessions,
    find: 'endsAt === startsAt ? undefined : endsAt',
    replace: 'endsAt',
    noticedBy: reading,
  },
  {
    title: 'an add-on gets the booking’s times',
    file: sessions,
    find: 'hasLineTimes || isAddOn(line)',
    replace: 'hasLineTimes',
    noticedBy: reading,
  },
  {
    title: 'a line without a time gets the booking’s although others have times',
    file: sessions,
    find: 'hasLineTimes || isAddOn(line) ?',
    replace: 'isAddOn(line) ?',
    noticedBy: reading,
  },
  {
    title: 'sku and name are swapped',
    file: sessions,
    find: 'activityId: value.sku, activityName: value.name',
    replace: 'activityId: value.name, activityName: value.sku',
    noticedBy: reading,
  },
  {
    title: 'things are counted as people',
    file: people,
    find: 'if (isAddOn(line)) return { count: 0, byParameter };\n',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'names that the account gave are not used',
    file: people,
    find: 'guestParameters?.includes(id) ??',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'the label of a parameter is not looked at',
    file: people,
    find: ' || isUsualName(textOf(objectOf(parameter).lbl))',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'what was not counted is not told of',
    file: people,
    find: 'if (guestParameters === undefined) warnOfOthers(reading, path, others);\n',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'a quantity in a parameter is not found',
    file: people,
    find: 'countOf(parameter) ?? countOf(objectOf(parameter).qty)',
    replace: 'countOf(parameter)',
    noticedBy: reading,
  },
  {
    title: 'only the first parameter counts',
    file: people,
    find: 'parameters.reduce((sum, [, count]) => sum + count, 0)',
    replace: '(parameters[0]?.[1] ?? 0)',
    noticedBy: reading,
  },
  {
    title: 'cancelled lines are attended',
    file: booking,
    find: 'if (isCancelled(status) || !isCancelled(lineStatus)) return true;',
    replace: 'if (lineStatus !== null) return true;',
    noticedBy: reading,
  },
  {
    title: 'a cancelled booking has no sessions',
    file: booking,
    find: 'if (isCancelled(status) || !isCancelled(lineStatus)) return true;',
    replace: 'if (!isCancelled(lineStatus)) return true;',
    noticedBy: reading,
  },
  {
    title: 'the status of a line must be in capitals',
    file: booking,
    find: 'textOf(found)?.toUpperCase()',
    replace: 'textOf(found)',
    noticedBy: reading,
  },
  {
    title: 'the customer’s own fields are shown as the account’s',
    file: booking,
    find: ".filter(([field]) => !field.startsWith('customer_'))",
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'of two lines with one parameter, the last counts',
    file: booking,
    find: '(sums.get(id) ?? 0) + count',
    replace: 'count',
    noticedBy: reading,
  },
  {
    title: 'the number of a booking is its code',
    file: detail,
    find: 'code: id,',
    replace: 'code: booking_id,',
    noticedBy: reading,
  },
  {
    title: 'email and phone are swapped',
    file: detail,
    find: 'email: customer_email, phoneNumber: customer_phone',
    replace: 'email: customer_phone, phoneNumber: customer_email',
    noticedBy: reading,
  },
  {
    title: 'a single item is overlooked',
    file: webhook,
    find: 'return isEmpty ? [] : [elements];',
    replace: 'return [];',
    noticedBy: reading,
  },
  {
    title: 'an empty element is an item',
    file: webhook,
    find: 'return isEmpty ? [] : [elements];',
    replace: 'return [elements];',
    noticedBy: reading,
  },
  {
    title: 'the first booking of the list is taken',
    file: index,
    find: 'textOf(id) === bookingId',
    replace: 'textOf(id) !== null',
    noticedBy: reading,
  },
  {
    title: 'the list of all bookings is requested as one',
    file: fetch,
    find: 'if (otherEndpoints.has(bookingId.toLowerCase())) {',
    replace: 'if (otherEndpoints.has(bookingId)) {',
    noticedBy: reading,
  },
  {
    title: 'the number in a call about a payment is overlooked',
    file: inbound,
    find: "  ['transaction', 'booking_id'],\n",
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'fields of a form are not found',
    file: inbound,
    find: 'nested ?? call[',
    replace: 'nested && call[',
    noticedBy: reading,
  },
  {
    title: 'the day after is not listed',
    file: notes,
    find: 'const last = Math.max(versionDay, today) + dayMs;',
    replace: 'const last = Math.max(versionDay, today);',
    noticedBy: writing,
  },
  {
    title: 'the day before is not listed',
    file: notes,
    find: 'const first = versionDay - dayMs;',
    replace: 'const first = versionDay;',
    noticedBy: writing,
  },
  {
    title: 'any number of days is listed one by one',
    file: notes,
    find: 'if (count > maxDays) return [undefined];\n',
    replace: '',
    noticedBy: writing,
  },
  {
    title: 'notes of other bookings are taken',
    file: notes,
    find: 'newestOf(marked.filter((note) => isAbout(note, ids)))',
    replace: 'newestOf(marked)',
    noticedBy: writing,
  },
  {
    title: 'a note that refers to the other id is overlooked',
    file: notes,
    find: 'if (!areAllIdsKnown && !marked.every((note) => isAbout(note, ids))) {',
    replace: 'if (areAllIdsKnown) {',
    noticedBy: writing,
  },
  {
    title: 'the oldest note counts',
    file: notes,
    find: 'Number(one.note_id) - Number(other.note_id)',
    replace: 'Number(other.note_id) - Number(one.note_id)',
    noticedBy: writing,
  },
  {
    title: 'a marker is found within another’s',
    file: notes,
    find: 'startsWith(`${marker} `)',
    replace: 'includes(marker)',
    noticedBy: writing,
  },
  {
    title: 'the same note is added again',
    file: push,
    find: 'if ((await newestNote(context, waiver, note.marker)) !== body) await addNote',
    replace: 'await addNote',
    noticedBy: writing,
  },
  {
    title: 'a note that was not taken is accepted',
    file: push,
    find: "if (status.toUpperCase() === 'OK') return;",
    replace: "if (status !== '') return;",
    noticedBy: writing,
  },
  {
    title: 'a note is sent as long as it is',
    file: push,
    find: 'note.text.slice(0, maxNoteLength)',
    replace: 'note.text',
    noticedBy: writing,
  },
  {
    title: 'a void is signed again',
    file: push,
    find: 'if (!waiver.deleted) return { marker, text: line };',
    replace: 'if (marker) return { marker, text: line };',
    noticedBy: writing,
  },
];
