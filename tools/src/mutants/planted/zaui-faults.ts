import type { PlantedFault } from './planted-fault.ts';

const plugin = 'plugins/zaui/src/index.ts';
const limit = 'plugins/zaui/src/answers.ts';
const codes = 'packages/octo-kit/src/answers.ts';
const product = 'packages/octo-kit/src/native/product.ts';
const session = 'packages/octo-kit/src/native/session.ts';
const booking = 'packages/octo-kit/src/native/read-booking.ts';
const guests = 'packages/octo-kit/src/native/guests.ts';
const items = 'packages/octo-kit/src/native/unit-items.ts';
const status = 'packages/octo-kit/src/native/status.ts';
const reading = ['test/contract', 'test/traps'];
const calling = ['test/contract', 'test/simulator.'];

/** Slips in how Zaui is called, and in what Zaui needs of OCTO: products, units, holds, sessions, codes. */
export const zauiFaults: readonly PlantedFault[] = [
  {
    title: 'the key is sent without its scheme',
    file: plugin,
    find: '`Bearer ${account.apiKey}`',
    replace: 'account.apiKey',
    noticedBy: calling,
  },
  {
    title: 'the header that says how long a 429 lasts is not read',
    file: plugin,
    find: '  judgeAnswer,\n',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'the seconds of a 429 are taken for milliseconds',
    file: limit,
    find: 'Number(seconds) * 1000',
    replace: 'Number(seconds)',
    noticedBy: reading,
  },
  {
    title: 'a 429 ends when the usual header says',
    file: limit,
    find: "answer.headers['octo-ratelimit-retryafter']",
    replace: "answer.headers['retry-after']",
    noticedBy: reading,
  },
  {
    title: 'the header is believed with any status',
    file: limit,
    find: 'if (answer.status !== 429) return judgeOctoAnswer(answer);\n',
    replace: '',
    noticedBy: reading,
  },
  {
    title: 'a 429 without the header ends at once',
    file: limit,
    find: 'return seconds === undefined ? undefined : {',
    replace: 'return {',
    noticedBy: reading,
  },
  {
    title: 'a key that is wrong is a failure of Zaui',
    file: codes,
    find: "  ['FORBIDDEN', 'bad-key'],\n",
    replace: '',
    noticedBy: calling,
  },
  {
    title: 'a key that is missing is a failure of Zaui',
    file: codes,
    find: "  ['UNAUTHORIZED', 'bad-key'],\n",
    replace: '',
    noticedBy: calling,
  },
  {
    title: 'a product that is gone refuses the booking',
    file: codes,
    find: "  ['INVALID_PRODUCT_ID', 404],\n",
    replace: '',
    noticedBy: calling,
  },
  {
    title: 'a product that is gone leaves no warning',
    file: product,
    find: "    reading.warn('value_ignored', 'productId', message);\n",
    replace: '',
    noticedBy: calling,
  },
  {
    title: 'a product that cannot be read is taken for an empty one',
    file: product,
    find: '  raiseForOcto(response, bookingId);\n',
    replace: '',
    noticedBy: calling,
  },
  {
    title: 'a booking that does not include its product is read without it',
    file: product,
    find: 'isJsonObject(booking.product) && items.every(hasUnit)',
    replace: 'items.every(hasUnit) || !isJsonObject(booking.product)',
    noticedBy: reading,
  },
  {
    title: 'the units of the requested product are not used',
    file: product,
    find: 'new Map([...unitsOf(objectsIn(requested.options), booking.optionId), ...included.units])',
    replace: 'included.units',
    noticedBy: reading,
  },
  {
    title: 'the name and time zone of the requested product are not used',
    file: product,
    find: '{ ...requested, ...included.product }',
    replace: 'included.product',
    noticedBy: reading,
  },
  {
    title: 'units are looked for by their internal name',
    file: product,
    find: '[unit.id, unit]',
    replace: '[unit.internalName, unit]',
    noticedBy: reading,
  },
  {
    title: 'times without an offset are taken for UTC',
    file: session,
    find: '`availability.${name}`, timeZone);',
    replace: "`availability.${name}`, 'UTC');",
    noticedBy: reading,
  },
  {
    title: 'a session ends when it starts',
    file: session,
    find: "readTime('localDateTimeEnd');",
    replace: "readTime('localDateTimeStart');",
    noticedBy: reading,
  },
  {
    title: 'the name of an activity is that of its option',
    file: session,
    find: '?? product.internalName',
    replace: '?? booking.optionId',
    noticedBy: reading,
  },
  {
    title: 'a raft for six is one person',
    file: booking,
    find: 'requiredCount(reading, paxCount ?? 1,',
    replace: 'requiredCount(reading, 1,',
    noticedBy: reading,
  },
  {
    title: 'the reseller’s reference is shown as Zaui’s',
    file: booking,
    find: 'textOf(found.supplierReference)',
    replace: 'textOf(found.resellerReference)',
    noticedBy: reading,
  },
  {
    title: 'a cancelled booking has no guests',
    file: items,
    find: 'if (isCancelled(status)) return',
    replace: 'if (status === null) return',
    noticedBy: reading,
  },
  {
    title: 'a guest’s id is that of the unit',
    file: items,
    find: 'const { uuid } = value;',
    replace: 'const { unitId: uuid } = value;',
    noticedBy: reading,
  },
  {
    title: 'an email address is not read',
    file: guests,
    find: 'objectOf(contact).emailAddress',
    replace: 'objectOf(contact).email',
    noticedBy: reading,
  },
  {
    title: 'a hold is a booking that may be checked in',
    file: status,
    find: "ON_HOLD: 'other',",
    replace: "ON_HOLD: 'active',",
    noticedBy: reading,
  },
  {
    title: 'a hold that has ended is active',
    file: status,
    find: "EXPIRED: 'cancelled',",
    replace: "EXPIRED: 'active',",
    noticedBy: reading,
  },
  {
    title: 'a cancelled booking is active',
    file: status,
    find: "CANCELLED: 'cancelled',",
    replace: "CANCELLED: 'active',",
    noticedBy: reading,
  },
];
