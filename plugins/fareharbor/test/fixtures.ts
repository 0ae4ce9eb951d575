import { readFileSync } from 'node:fs';

type Body = { readonly booking: Readonly<Record<string, unknown>> };

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

const { booking: booked } = read('booked');
const { booking: charter } = read('private-charter');
const [guestsAnswer] = charter.custom_field_values;

const changed = (changes: object) => ({ booking: { ...booked, ...changes } });
const withAvailability = (changes: object) =>
  changed({ availability: { ...booked.availability, ...changes } });
const withCustomers = (changes: (customer: object, index: number) => object) =>
  booked.customers.map((customer: object, index: number) => ({ ...customer, ...changes(customer, index) }));
const charterWith = (changes: object) => ({ booking: { ...charter, ...changes } });
/** The answer to how many guests a private charter has. */
const ofGuests = (pk: number, value: string, display: string, field: object = {}) => ({
  ...guestsAnswer,
  pk,
  custom_field: { ...guestsAnswer.custom_field, ...field },
  value,
  display_value: display,
});

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, Body>> = JSON.parse(
  JSON.stringify({
    cancelled: changed({ status: 'cancelled' }),
    'cancelled-and-emptied': changed({
      status: 'cancelled',
      availability: null,
      customers: null,
      customer_count: 0,
    }),
    'without-availability': changed({ availability: null }),
    'ends-when-it-starts': withAvailability({ end_at: booked.availability.start_at }),
    'offset-without-colon': withAvailability({
      start_at: '2027-11-07T09:00:00+0545',
      end_at: '2027-11-07T10:30:00+0545',
    }),
    'start-without-zone': withAvailability({ start_at: '2027-07-03T08:15:00' }),
    'customer-count-disagrees': changed({ customer_count: 1 }),
    'customers-without-names': changed({ customers: withCustomers(() => ({ custom_field_values: [] })) }),
    'note-not-shown': changed({ note: undefined }),
    'rebooked-to-nowhere': changed({ status: 'rebooked' }),
    rebooked: changed({ status: 'rebooked', rebooked_to: '0b9c5a0e-9d51-4f6d-a7cc-5b1e6f6f1d02' }),
    'rebooked-to': changed({
      pk: 91003400,
      uuid: '0b9c5a0e-9d51-4f6d-a7cc-5b1e6f6f1d02',
      display_id: '#91003400',
      rebooked_from: booked.uuid,
      availability: {
        ...booked.availability,
        pk: 550099,
        start_at: '2027-07-05T08:15:00-1000',
        end_at: '2027-07-05T11:45:00-1000',
      },
      customers: withCustomers((_, index) => ({ pk: 620001 + index })),
    }),
    'private-charter-by-customer': charterWith({
      customers: [{ ...charter.customers[0], custom_field_values: [ofGuests(5122, '6', '6')] }],
      custom_field_values: [],
    }),
    'private-charter-by-option': charterWith({
      custom_field_values: [ofGuests(5121, '6160118', '12', { type: 'extended-option' })],
    }),
    'private-charter-unclear': charterWith({
      custom_field_values: [ofGuests(5123, '8 or 9', '8 or 9', { type: 'short' })],
    }),
  }),
);

export const fixture = (name: string): Body => variants[name] ?? read(name);
