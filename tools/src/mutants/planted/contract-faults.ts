import type { PlantedFault } from './planted-fault.ts';

const path = 'packages/plugin-kit/src/writing/guest-update-path.ts';
const push = 'packages/plugin-kit/src/writing/push-contract-waiver.ts';
const fetch = 'packages/plugin-kit/src/reading/fetch-contract-booking.ts';
const current = 'packages/plugin-kit/src/current/read-current-booking.ts';
const legacy = 'packages/plugin-kit/src/legacy/read-legacy-booking.ts';
const guests = 'packages/plugin-kit/src/reading/guests.ts';
const fields = 'packages/plugin-kit/src/reading/fields.ts';
const booking = 'packages/plugin-kit/src/reading/assemble-booking.ts';
const form = 'packages/plugin-kit/src/reading/read-booking.ts';
const suite = ['test/contract'];
const forms = ['test/contract', 'test/fixtures'];

/** Slips in the requests that the toolkit makes of every system that follows the contract. */
export const contractRequestFaults: readonly PlantedFault[] = [
  {
    title: 'ids are not encoded',
    file: path,
    find: 'if (reason === undefined) return percentEncode(id);',
    replace: 'if (reason === undefined) return id;',
    noticedBy: suite,
  },
  {
    title: 'an id that changes the path is sent',
    file: path,
    find: 'const reason = invalidIdReason(id);',
    replace: 'const reason = invalidIdReason("1");',
    noticedBy: suite,
  },
  {
    title: 'the waiver is sent without its envelope',
    file: push,
    find: 'JSON.stringify({ waiver })',
    replace: 'JSON.stringify(waiver)',
    noticedBy: suite,
  },
  {
    title: 'the guest is not named in the query',
    file: push,
    find: 'params: { bookingId, bookingGuestId }',
    replace: 'params: { bookingId }',
    noticedBy: suite,
  },
  {
    title: 'a body that was refused is a failure of the system',
    file: push,
    find: 'if (status === 410 || isBodyRejected(status)) throw',
    replace: 'if (status === 410) throw',
    noticedBy: suite,
  },
  {
    title: 'a success that says it is none is accepted',
    file: push,
    find: 'data.success === false',
    replace: 'data.success === null',
    noticedBy: suite,
  },
  {
    title: 'a waiver that is taken no more is sent again',
    file: push,
    find: 'status === 410\n    ?',
    replace: 'status === 409\n    ?',
    noticedBy: suite,
  },
  {
    title: 'another booking than the one that was asked for is not told of',
    file: fetch,
    find: 'if (fetched.booking.id === bookingId) return fetched;',
    replace: 'if (fetched.booking.id) return fetched;',
    noticedBy: suite,
  },
];

/** Slips in how the toolkit reads the contract’s two forms. */
export const contractBookingFaults: readonly PlantedFault[] = [
  {
    title: 'a booking without sessions is read',
    file: current,
    find: 'if (!Array.isArray(value) || value.length === 0) {',
    replace: 'if (!Array.isArray(value)) {',
    noticedBy: forms,
  },
  {
    title: 'start and end are swapped',
    file: current,
    find: 'dateTime(reading, startsAt, `${path}.startsAt`)',
    replace: 'dateTime(reading, endsAt, `${path}.startsAt`)',
    noticedBy: forms,
  },
  {
    title: 'fields of both forms are not told of',
    file: current,
    find: 'if (!isPresent(body.activities) && !isPresent(body.startsAt)) return;',
    replace: 'if (body) return;',
    noticedBy: forms,
  },
  {
    title: 'the end of the booking is lost',
    file: legacy,
    find: 'return { startsAt, endsAt };',
    replace: 'return { startsAt };',
    noticedBy: forms,
  },
  {
    title: 'only the first activity is a session',
    file: legacy,
    find: 'return list.map((activity, index)',
    replace: 'return list.slice(0, 1).map((activity, index)',
    noticedBy: forms,
  },
  {
    title: 'an activity’s name is lost',
    file: legacy,
    find: 'return Object.assign(others, times, { activityName });',
    replace: 'return Object.assign(others, times);',
    noticedBy: forms,
  },
  {
    title: 'a booking without activities has no session',
    file: legacy,
    find: '  return [times];\n',
    replace: '  return [];\n',
    noticedBy: forms,
  },
  {
    title: 'the id of a guest of the legacy form is lost',
    file: guests,
    find: '  guest.id = guestId;\n',
    replace: '',
    noticedBy: forms,
  },
  {
    title: 'the legacy id goes before the id',
    file: guests,
    find: 'if (id) return id;',
    replace: 'if (id && guest.guestId === undefined) return id;',
    noticedBy: forms,
  },
  {
    title: 'guests without a name are not told of',
    file: guests,
    find: 'if (nameless === 0) return;',
    replace: 'if (nameless >= 0) return;',
    noticedBy: forms,
  },
  {
    title: 'a time in another zone is kept as it is',
    file: fields,
    find: '`${path} came as ${quoted(value)} and was read as ${found.value}`,\n    );\n    return found.value;',
    replace: '`${path} came as ${quoted(value)} and was read as ${found.value}`,\n    );\n    return value;',
    noticedBy: forms,
  },
  {
    title: 'a time without a zone is taken for UTC',
    file: fields,
    find: "  reading.refuse(path, dateTimeRefusal(value, found.kind));\n  return '';",
    replace: '  return `${value}Z`;',
    noticedBy: forms,
  },
  {
    title: 'a count in a text is refused',
    file: fields,
    find: "const isDigits = typeof value === 'string' && /^\\s*\\d+\\s*$/.test(value);",
    replace: "const isDigits = typeof value === 'boolean';",
    noticedBy: forms,
  },
  {
    title: 'a booking’s id may be empty',
    file: booking,
    find: "  if (id === '') reading.refuse('id', 'is empty');\n",
    replace: '',
    noticedBy: forms,
  },
  {
    title: 'unknown fields are lost',
    file: booking,
    find: '    ...others,\n    id: idText,',
    replace: '    id: idText,',
    noticedBy: forms,
  },
  {
    title: 'the legacy form goes before the current one',
    file: form,
    find: "if (isPresent(body.bookedSessions)) return 'current';",
    replace: "if (isPresent(body.bookedSessions) && !isPresent(body.startsAt)) return 'current';",
    noticedBy: forms,
  },
  {
    title: 'a body of neither form is a booking',
    file: form,
    find: "isPresent(body.activities) || isPresent(body.startsAt) ? 'legacy' : undefined",
    replace: "'legacy'",
    noticedBy: forms,
  },
];
