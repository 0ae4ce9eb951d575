import type { PlantedFault } from './planted-fault.ts';

const product = 'packages/octo-kit/src/native/product.ts';
const list = 'packages/octo-kit/src/writing/unit-item-list.ts';
const contact = 'packages/octo-kit/src/writing/guest-contact.ts';
const answers = 'packages/octo-kit/src/answers.ts';
const products = ['test/product'];
const writing = ['test/vendor-waiver'];
const codes = ['test/answers'];

/** Slips in what is common to vendors of OCTO: their products, answers, lists of unit items, contacts. */
export const octoKitFaults: readonly PlantedFault[] = [
  {
    title: 'units of options that were not booked count',
    file: product,
    find: '(booked.length > 0 ? booked : options)',
    replace: 'options',
    noticedBy: products,
  },
  {
    title: 'a unit that is missing is not asked for',
    file: product,
    find: ' && items.every(hasUnit))',
    replace: ')',
    noticedBy: products,
  },
  {
    title: 'a product that is gone is an error',
    file: product,
    find: 'if (statusOf(response) === 404) return undefined;\n',
    replace: '',
    noticedBy: products,
  },
  {
    title: 'the requested product goes before the booking’s own',
    file: product,
    find: '{ ...requested, ...included.product }',
    replace: '{ ...included.product, ...requested }',
    noticedBy: products,
  },
  {
    title: 'unit items that stay as they are are left out',
    file: list,
    find: 'return items.map((item) => (item.id === id',
    replace: 'return items.filter((item) => item.id === id).map((item) => (item.id === id',
    noticedBy: writing,
  },
  {
    title: 'the reseller’s reference of a unit item is not sent back',
    file: list,
    find: "...(typeof resellerReference === 'string' ? { resellerReference } : {}),",
    replace: '',
    noticedBy: writing,
  },
  {
    title: 'the contacts of others are not sent back',
    file: list,
    find: '...(isJsonObject(contact) ? { contact } : {}),',
    replace: '',
    noticedBy: writing,
  },
  {
    title: 'a unit item without a uuid is sent',
    file: list,
    find: 'if (id === undefined) {',
    replace: 'if (id === null) {',
    noticedBy: writing,
  },
  {
    title: 'extras that a change could remove are sent',
    file: list,
    find: 'objectsIn(value.extraItems).length > 0',
    replace: 'objectsIn(value.extraItems).length > 9',
    noticedBy: writing,
  },
  {
    title: 'the former first and last name stay beside another full name',
    file: contact,
    find: "changed.includes('fullName') ? { firstName: null, lastName: null } : {}",
    replace: '{}',
    noticedBy: writing,
  },
  {
    title: 'phone number and email are swapped',
    file: contact,
    find: "answerForField(waiver, 'email')",
    replace: "answerForField(waiver, 'phoneNumber')",
    noticedBy: writing,
  },
  {
    title: 'an unknown booking is a failure',
    file: answers,
    find: "  ['INVALID_BOOKING_UUID', 'not-found'],\n",
    replace: '',
    noticedBy: codes,
  },
  {
    title: 'a code is believed whatever the status',
    file: answers,
    find: 'status === 400 ? objectOf(data).error : undefined',
    replace: 'objectOf(data).error',
    noticedBy: codes,
  },
];
