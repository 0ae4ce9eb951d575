import { readFileSync } from 'node:fs';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

const oneItem = read('one-item');
const [kayaking] = oneItem.items;
const twoItems = read('two-items-and-notes');

const order = (changes: object) => ({ ...oneItem, ...changes });
const item = (changes: object) => order({ items: [{ ...kayaking, ...changes }] });
/** The order of two items, without its notes: the first item with changes. */
const first = (changes: object) => ({
  ...twoItems,
  items: [{ ...kayaking, ...changes }, twoItems.items[1]],
  notes: [],
});

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, JsonObject>> = JSON.parse(
  JSON.stringify({
    'no-items': order({ items: [] }),
    'status-of-the-order': order({ status: 700 }),
    'empty-contact': order({ customerName: null, customerEmail: '', phone: '' }),
    'cancelled-order': item({ status: 700 }),
    'on-hold': item({ status: 103 }),
    unreserved: item({ status: 310 }),
    'no-status': item({ status: undefined }),
    'arrival-without-zone': item({ arrivalDatetime: '2027-04-20T02:30:00' }),
    'only-open-dated': item({ arrivalDatetime: undefined, arrivalTime: undefined }),
    'fewer-guests-than-quantity': item({ quantity: '5' }),
    'one-item-cancelled': first({ status: 700 }),
    'open-dated-item': first({ arrival: null, arrivalDatetime: null, arrivalTime: null }),
  }),
);

export const fixture = (name: string): JsonObject => variants[name] ?? expectObject(read(name));
