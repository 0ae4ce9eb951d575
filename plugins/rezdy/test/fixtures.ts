import { readFileSync } from 'node:fs';

type Body = Readonly<Record<string, unknown>>;

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));

/** The order number of every fixture. */
export const orderNumber = 'R4REEF2';

const named = read('two-named-participants');
const [reef] = named.booking.items;
const [quantity] = reef.quantities;

const order = (changes: object) => ({ ...named, booking: { ...named.booking, ...changes } });
const items = (...of: readonly object[]) => order({ items: of });
const item = (changes: object) => items({ ...reef, ...changes });
const error = (errorCode: string, errorMessage: string) => ({
  requestStatus: { ...named.requestStatus, success: false, error: { errorCode, errorMessage } },
});

/** Bodies that differ from one of the files by these values; one that is undefined is missing. */
export const variants: Readonly<Record<string, Body>> = JSON.parse(
  JSON.stringify({
    'key-not-accepted': error('4', 'The API key is not valid'),
    'timed-out': error('5', 'The request took too long'),
    'not-allowed': error('6', 'The account may not do this'),
    'no-such-order': error('24', 'The order was not found'),
    'another-error': error('99', 'Something is being repaired'),
    'cancelled-without-items': order({ status: 'CANCELLED', items: [] }),
    'only-a-pickup': items({ pickupLocation: { locationName: 'Harbour hostel' } }),
    'item-with-only-a-pickup': items(reef, {
      pickupLocation: { locationName: 'Harbour hostel', pickupTime: '07:15' },
    }),
    'two-items-at-two-times': items(reef, {
      ...reef,
      ...{ productName: 'Night walk', productCode: 'PNIGHT' },
      ...{ startTime: '2027-06-12T09:00:00Z', endTime: '2027-06-12T10:30:00Z' },
      quantities: [{ optionLabel: 'Quantity', value: 2 }],
      participants: [],
    }),
    'local-times-only': item({ startTime: undefined, endTime: undefined }),
    'quantity-as-a-text': item({ quantities: [{ ...quantity, optionPrice: undefined, value: '2' }] }),
    'fewer-participants-than-the-quantity': item({
      quantities: [
        { ...quantity, optionPrice: undefined },
        { optionLabel: 'Child', value: 1 },
      ],
      totalQuantity: 3,
    }),
    'blank-participants': item({
      participants: reef.participants.map(({ fields }: { fields: object[] }) => ({
        fields: fields.map((field) => ({ ...field, value: undefined })),
      })),
    }),
  }),
);

/** Reads a fixture, with some fields of the booking changed; each is named after the case it covers. */
export function fixture(name: string, changes: object = {}): Body {
  const body = variants[name] ?? read(name);
  return body.booking === undefined ? body : { ...body, booking: { ...body.booking, ...changes } };
}

/** The items of a fixture. */
export const itemsOf = (name: string): readonly Body[] => Object(fixture(name).booking).items;
