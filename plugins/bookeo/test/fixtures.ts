import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

const twoPeople = read('two-people');
const { customer, participants } = twoPeople;
const [self, child] = participants.details;
const [adults, children] = participants.numbers;

const changed = (changes: object) => ({ ...twoPeople, ...changes });
const withCustomer = (changes: object) => changed({ customer: { ...customer, ...changes } });
const withParticipants = (changes: object) => changed({ participants: { ...participants, ...changes } });

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, JsonObject>> = JSON.parse(
  JSON.stringify({
    canceled: changed({ canceled: true, cancelationTime: '2027-06-01T08:00:00+02:00' }),
    'not-accepted': changed({ accepted: false }),
    'neither-boolean': changed({ canceled: undefined, accepted: undefined }),
    'no-start': changed({ startTime: undefined }),
    'start-without-zone': changed({ startTime: '2027-06-14T10:00:00' }),
    'no-end-and-no-product': changed({ productId: undefined, productName: undefined, endTime: null }),
    'number-for-a-booking-number': changed({ bookingNumber: Number(twoPeople.bookingNumber) }),
    'customer-not-shown': changed({ customer: undefined }),
    'empty-contact': withCustomer({
      customFields: undefined,
      firstName: null,
      lastName: '',
      emailAddress: '',
      phoneNumbers: [{ ...customer.phoneNumbers[0], number: '' }],
    }),
    'trailing-spaces': {
      ...withCustomer({ firstName: ' Noor ', lastName: 'Haddad ' }),
      productName: 'Morning rafting  ',
    },
    'fewer-details-than-numbers': withParticipants({ numbers: [{ ...adults, number: 4 }] }),
    'numbers-without-details': withParticipants({
      numbers: [
        { ...adults, number: '12' },
        { ...children, peopleCategoryId: 'Cguides' },
      ],
      details: undefined,
    }),
    'unreadable-person': withParticipants({ details: [self, { ...child, personDetails: undefined }] }),
    'unknown-people': withParticipants({
      numbers: [{ ...adults, number: 2 }],
      details: [
        { ...self, personId: 'PUNKNOWN' },
        { ...self, personId: 'PUNKNOWN', categoryIndex: 2, personDetails: {} },
      ],
    }),
  }),
);

export const fixture = (name: string): JsonObject => variants[name] ?? expectObject(read(name));
