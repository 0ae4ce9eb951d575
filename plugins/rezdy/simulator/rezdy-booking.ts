type Json = Readonly<Record<string, unknown>>;

/** A field of a participant; without a value it has not been filled in. */
export interface RezdyField {
  readonly label: string;
  readonly value?: string;
}

/** A participant; has no id. */
export interface RezdyParticipant {
  readonly fields: readonly RezdyField[];
}

/** An item of a booking; additional fields are served unchanged. */
export interface RezdyItem extends Json {
  readonly productCode?: string;
  readonly participants?: readonly RezdyParticipant[];
}

/** A booking as Rezdy serves it; additional fields are served unchanged. */
export interface RezdyBooking extends Json {
  readonly orderNumber: string;
  readonly internalNotes?: string;
  readonly items: readonly RezdyItem[];
}

const blank = (barcode: string): RezdyParticipant => ({
  fields: [
    { label: 'Title' },
    { label: 'First Name' },
    { label: 'Last Name' },
    { label: 'Email' },
    { label: 'Date of Birth' },
    { label: 'Barcode', value: barcode },
  ],
});

/** A sunset sail for two people who are not named yet. */
export const rezdyBooking: RezdyBooking = {
  orderNumber: 'R7SAIL1',
  status: 'CONFIRMED',
  supplierId: 311,
  supplierName: 'Bluewater Sailing',
  resellerId: 402,
  resellerReference: 'AG-2027-118',
  resellerComments: 'Table by the mast',
  customer: {
    id: 4401,
    firstName: 'Mele',
    lastName: 'Tupou',
    name: 'Mele Tupou',
    email: 'mele@example.com',
    phone: '+61255501234',
  },
  items: [
    {
      productName: 'Sunset sail',
      productCode: 'PSAIL',
      startTime: '2027-06-12T07:30:00Z',
      endTime: '2027-06-12T09:30:00Z',
      startTimeLocal: '2027-06-12 17:30:00',
      endTimeLocal: '2027-06-12 19:30:00',
      quantities: [{ optionLabel: 'Adult', optionPrice: 89, value: 2 }],
      totalQuantity: 2,
      amount: 178,
      extras: [{ name: 'Picnic', price: 12.5, quantity: 2 }],
      participants: [blank('R7SAIL1-1'), blank('R7SAIL1-2')],
      pickupLocation: { locationName: 'Harbour steps', pickupTime: '16:45' },
    },
  ],
  totalAmount: 178,
  totalCurrency: 'AUD',
  totalPaid: 178,
  payments: [{ type: 'CASH', amount: 178, currency: 'AUD' }],
  fields: [{ label: 'Hotel', value: 'Seaview' }],
  vouchers: ['SAIL10'],
  comments: 'Vegetarian',
  internalNotes: 'Paid in cash',
};
