import type { PlantedFault } from './planted-fault.ts';

const plugin = 'plugins/peek/src/index.ts';
const webhooks = 'packages/octo-kit/src/webhooks.ts';
const inbound = 'packages/octo-kit/src/inbound.ts';
const list = 'packages/octo-kit/src/list-bookings.ts';
const product = 'packages/octo-kit/src/native/product.ts';
const session = 'packages/octo-kit/src/native/session.ts';
const booking = 'packages/octo-kit/src/native/read-booking.ts';
const status = 'packages/octo-kit/src/native/status.ts';
const reading = ['test/contract', 'test/traps'];
const calling = ['test/contract', 'test/simulator.'];

/** Slips in how Peek is called, and in what Peek needs of OCTO: units of the product, lists, webhooks. */
export const peekFaults: readonly PlantedFault[] = [
  {
    title: 'a webhook is removed without the content type that Peek requires',
    file: plugin,
    find: "'Content-Type': 'application/json',",
    replace: '',
    noticedBy: calling,
  },
  {
    title: 'the key is sent without its scheme',
    file: plugin,
    find: '`Bearer ${account.apiKey}`',
    replace: 'account.apiKey',
    noticedBy: calling,
  },
  {
    title: 'a key is tested by a path that Peek does not document',
    file: plugin,
    find: "checkAccess(context, 'products')",
    replace: 'checkAccess(context)',
    noticedBy: calling,
  },
  {
    title: 'the webhooks of others are removed',
    file: webhooks,
    find: 'if (own.has(url)) await remove(context, id);',
    replace: 'await remove(context, id);',
    noticedBy: calling,
  },
  {
    title: 'a webhook that is registered is registered again',
    file: webhooks,
    find: 'if (registered === undefined) {',
    replace: 'if (registered !== null) {',
    noticedBy: calling,
  },
  {
    title: 'a webhook with a former address stays',
    file: webhooks,
    find: ', ...there.filter((hook) => former.has(hook.url))]',
    replace: ']',
    noticedBy: calling,
  },
  {
    title: 'a webhook that was registered twice stays twice',
    file: webhooks,
    find: '[...repeated, ...there',
    replace: '[...there',
    noticedBy: calling,
  },
  {
    title: 'a webhook that was not stored counts as registered',
    file: webhooks,
    find: 'if (!stored.some((hook) => hook.url === url)) {',
    replace: 'if (stored === null) {',
    noticedBy: calling,
  },
  {
    title: 'a removal that was refused counts as done',
    file: webhooks,
    find: 'if (response.status !== 404) raiseForOctoList(response);',
    replace: 'if (response === null) raiseForOctoList(response);',
    noticedBy: calling,
  },
  {
    title: 'an answer that is no list counts as an empty one',
    file: webhooks,
    find: 'if (!Array.isArray(response.data)) {',
    replace: 'if (response.data === null) {',
    noticedBy: calling,
  },
  {
    title: 'the booking of a call is looked for beside the booking',
    file: inbound,
    find: 'objectOf(body.booking).uuid',
    replace: 'body.uuid',
    noticedBy: calling,
  },
  {
    title: 'days that begin later than in UTC are not listed',
    file: list,
    find: 'Date.parse(from) - mostBehindMs',
    replace: 'Date.parse(from)',
    noticedBy: calling,
  },
  {
    title: 'days that begin earlier than in UTC are not listed',
    file: list,
    find: 'Date.parse(until) + mostAheadMs',
    replace: 'Date.parse(until)',
    noticedBy: calling,
  },
  {
    title: 'the product of a list is requested for each booking',
    file: list,
    find: 'const once = askingOnce(http);',
    replace: 'const once = http;',
    noticedBy: calling,
  },
  {
    title: 'one booking that cannot be read ends the list',
    file: list,
    find: 'if (error instanceof InvalidBookingResponse) return { bookingId, problem: error };',
    replace: '',
    noticedBy: calling,
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
    title: 'a raft for six is one person',
    file: booking,
    find: 'requiredCount(reading, paxCount ?? 1,',
    replace: 'requiredCount(reading, 1,',
    noticedBy: reading,
  },
  {
    title: 'the reseller’s reference is shown as Peek’s',
    file: booking,
    find: 'textOf(found.supplierReference)',
    replace: 'textOf(found.resellerReference)',
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
