import type { PlantedFault } from './planted-fault.ts';

const session = 'plugins/rezdy/src/native/session.ts';
const pax = 'plugins/rezdy/src/native/pax.ts';
const booking = 'plugins/rezdy/src/native/read-booking.ts';
const participants = 'plugins/rezdy/src/native/participants.ts';
const change = 'plugins/rezdy/src/writing/order-change.ts';
const fields = 'plugins/rezdy/src/writing/fill-fields.ts';
const copy = 'plugins/rezdy/src/writing/exact-copy.ts';
const verify = 'plugins/rezdy/src/writing/verify-change.ts';
const answers = 'plugins/rezdy/src/answers.ts';
const reading = ['test/traps', 'test/reading', 'test/contract', 'test/writing'];
const writing = ['test/writing', 'test/contract', 'test/simulator.'];

/** Slips in how Rezdy’s orders are read and written back whole: times, quantities, participants, fields, positions. */
export const rezdyFaults: readonly PlantedFault[] = [
  {
    title: 'the account’s time zone is dropped',
    file: session,
    find: '`${path}.${name}Local`, timeZone)',
    replace: '`${path}.${name}Local`)',
    noticedBy: reading,
  },
  {
    title: 'the local time goes before the one in UTC',
    file: session,
    find: 'vendorDateTime(reading, value[name], `${path}.${name}`, timeZone) ??',
    replace: 'vendorDateTime(reading, value[`${name}Local`], `${path}.${name}`, timeZone) ??',
    noticedBy: reading,
  },
  {
    title: 'start and end are swapped',
    file: session,
    find: "readTime(reading, item, 'startTime', timeZone)",
    replace: "readTime(reading, item, 'endTime', timeZone)",
    noticedBy: reading,
  },
  {
    title: 'code and name of the product are swapped',
    file: session,
    find: 'productCode: activityId, productName: activityName',
    replace: 'productCode: activityName, productName: activityId',
    noticedBy: reading,
  },
  {
    title: 'only the first quantity counts',
    file: pax,
    find: '.reduce((sum, count) => sum + count, 0)',
    replace: '.at(0) ?? 0',
    noticedBy: reading,
  },
  {
    title: 'participants count, not the quantity',
    file: pax,
    find: 'const pax = readQuantity(reading, item);',
    replace: 'readQuantity(reading, item);\n  const pax = participants;',
    noticedBy: reading,
  },
  {
    title: 'a total that differs is not told of',
    file: pax,
    find: "warnIfOther('totalQuantity', Number(value.totalQuantity ?? pax));",
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'a cancelled order without quantities cannot be read',
    file: pax,
    find: 'if (isOrderCancelled && isWithoutQuantity(value)) return participants;\n',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'an item without a time is attended',
    file: booking,
    find: 'if (session !== undefined) return true;\n    reading.warn(',
    replace: 'if (session !== undefined || path) return true;\n    reading.warn(',
    noticedBy: reading,
  },
  {
    title: 'a cancelled order without times has no guests',
    file: booking,
    find: 'if (isOrderCancelled && ordered.every(({ session }) => session === undefined)) return ordered;\n',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'times that are not valid hide that an order is cancelled',
    file: booking,
    find: 'isOrderCancelled ? new Reading() : reading',
    replace: 'reading',
    noticedBy: reading,
  },
  {
    title: 'only the first item counts',
    file: booking,
    find: 'attended.flatMap(({ item }) => readGuests(item))',
    replace: 'attended.slice(0, 1).flatMap(({ item }) => readGuests(item))',
    noticedBy: reading,
  },
  {
    title: 'the staff’s notes are shown to guests',
    file: booking,
    find: 'textOf(order.comments)',
    replace: 'textOf(order.internalNotes)',
    noticedBy: reading,
  },
  {
    title: 'a mobile number is not used',
    file: booking,
    find: 'textOf(phone) ?? mobile',
    replace: 'textOf(phone)',
    noticedBy: reading,
  },
  {
    title: 'a cancelled order must have a customer',
    file: booking,
    find: '!isJsonObject(customer) && !isOrderCancelled',
    replace: '!isJsonObject(customer)',
    noticedBy: reading,
  },
  {
    title: 'the participants of every item are numbered as those of the first',
    file: participants,
    find: 'id: `${positionOf(path)}-${index + 1}`',
    replace: 'id: `1-${index + 1}`',
    noticedBy: reading,
  },
  {
    title: 'positions begin at nought',
    file: participants,
    find: '`${positionOf(path)}-${index + 1}`',
    replace: '`${positionOf(path)}-${index}`',
    noticedBy: reading,
  },
  {
    title: 'first and last name are swapped',
    file: participants,
    find: 'firstName: answerTo(personLabels.firstName)',
    replace: 'firstName: answerTo(personLabels.lastName)',
    noticedBy: reading,
  },
  {
    title: 'of a repeated label, the last counts',
    file: participants,
    find: ' && !answers.has(label)',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'all participants have the first of several types',
    file: participants,
    find: 'label === undefined || others.length > 0',
    replace: 'label === undefined',
    noticedBy: reading,
  },
  {
    title: 'a field without a value hides a later one with the same label',
    file: participants,
    find: '.find((answer) => answer !== undefined);',
    replace: '.at(0);',
    noticedBy: reading,
  },
  {
    title: 'the order is sent without what nobody knows',
    file: change,
    find: '      ...order,\n',
    replace: '      orderNumber: order.orderNumber,\n',
    noticedBy: writing,
  },
  {
    title: 'the notes of staff are replaced',
    file: change,
    find: 'withNoteLine(formerNotes, waiver)',
    replace: "withNoteLine('', waiver)",
    noticedBy: writing,
  },
  {
    title: 'only the item of the participant is sent',
    file: change,
    find: 'items: items.map((item) => withFields(item, path, fields)),',
    replace:
      'items: items.filter((item) => path.startsWith(item.path)).map((item) => withFields(item, path, fields)),',
    noticedBy: writing,
  },
  {
    title: 'all participants get the fields of the one who signed',
    file: change,
    find: 'isJsonObject(participant) && `${item.path}.participants[${index}]` === participantPath',
    replace: 'isJsonObject(participant) && index >= 0',
    noticedBy: writing,
  },
  {
    title: 'what is no object is lost from a list of fields',
    file: change,
    find: '(isJsonObject(one) ? replacements.next().value : one)',
    replace: '(isJsonObject(one) ? replacements.next().value : {})',
    noticedBy: writing,
  },
  {
    title: 'a void writes into the fields',
    file: change,
    find: 'guest !== undefined && !waiver.deleted && filled.changed.length > 0',
    replace: 'guest !== undefined && filled.changed.length > 0',
    noticedBy: writing,
  },
  {
    title: 'a field takes what is none of its choices',
    file: fields,
    find: 'choices.length === 0 || choices.includes(answer)',
    replace: 'choices.length >= 0',
    noticedBy: writing,
  },
  {
    title: 'the last name is the first word',
    file: fields,
    find: 'words.length > 1 ? words.pop()',
    replace: 'words.length > 1 ? words.shift()',
    noticedBy: writing,
  },
  {
    title: 'the split that staff chose is lost',
    file: fields,
    find: 'hasSharedName ? field.value : splitName(name)[part]',
    replace: 'splitName(name)[part]',
    noticedBy: writing,
  },
  {
    title: 'an answer without a field is not told of',
    file: fields,
    find: 'unused: sharedNames(waiver).filter(isUnused)',
    replace: 'unused: []',
    noticedBy: writing,
  },
  {
    title: 'a number that lost digits is sent back',
    file: copy,
    find: '!Number.isInteger(value) || Number.isSafeInteger(value)',
    replace: 'true',
    noticedBy: writing,
  },
  {
    title: 'a void whose line stayed is accepted',
    file: verify,
    find: 'if (isNoteLost && waiver.deleted) {',
    replace: 'if (isNoteLost && waiver.deleted && sent.path === undefined) {',
    noticedBy: writing,
  },
  {
    title: 'fields that Rezdy did not keep are not told of',
    file: verify,
    find: 'if (lost.length > 0) {',
    replace: 'if (lost.length > 9) {',
    noticedBy: writing,
  },
  {
    title: 'an error in a success is a success',
    file: answers,
    find: 'const isError = success === false;',
    replace: 'const isError = success === null;',
    noticedBy: reading,
  },
  {
    title: 'a call that Rezdy gave up is not in doubt',
    file: answers,
    find: "inDoubt: call.kind === 'write'",
    replace: 'inDoubt: false',
    noticedBy: reading,
  },
];
