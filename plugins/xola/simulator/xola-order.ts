/** An item of an order; additional fields are served unchanged. */
export interface XolaItem {
  readonly id: string;
  readonly name: string;
  readonly experience: { readonly id: string };
  readonly arrival?: string;
  readonly arrivalDatetime?: string | null;
  readonly quantity: number;
  readonly status: number;
  readonly guests: readonly { readonly id: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

/** An order as Xola serves it; additional fields are served unchanged. */
export interface XolaOrder {
  readonly id: string;
  readonly customerName: string;
  readonly customerEmail?: string;
  readonly phone?: string;
  readonly seller: { readonly id: string };
  readonly items: readonly XolaItem[];
  readonly [field: string]: unknown;
}

/** An order of two activities, each for two people. */
export const xolaOrder: XolaOrder = {
  id: '6440f1a2b3c4d5e6f7a8b9c0',
  customerName: 'Siobhán Ní Dhúill',
  customerEmail: 'siobhan@example.com',
  phone: '+353 1 555 0100',
  seller: { id: '6440f1a2b3c4d5e6f7a80001' },
  notes: [{ text: 'Arrives by bus' }],
  waivers: [],
  items: [
    {
      id: '6440f1a2b3c4d5e6f7a8b9d1',
      name: 'Sea kayaking',
      experience: { id: '6440f1a2b3c4d5e6f7a8b9e1' },
      event: { id: '6440f1a2b3c4d5e6f7a8b9f1' },
      arrival: '2027-06-12',
      arrivalDatetime: '2027-06-12T09:30:00+01:00',
      arrivalTime: 930,
      quantity: 2,
      status: 200,
      guests: [
        { id: '6440f1a2b3c4d5e6f7a8b9a1', ticketCode: 'K1', guestStatus: 'pending' },
        { id: '6440f1a2b3c4d5e6f7a8b9a2', ticketCode: 'K2', guestStatus: 'pending' },
      ],
    },
    {
      id: '6440f1a2b3c4d5e6f7a8b9d2',
      name: 'Coasteering',
      experience: { id: '6440f1a2b3c4d5e6f7a8b9e2' },
      arrival: '2027-06-12',
      arrivalDatetime: '2027-06-12T14:00:00+01:00',
      arrivalTime: 1400,
      quantity: 2,
      status: 201,
      guests: [],
    },
  ],
};
