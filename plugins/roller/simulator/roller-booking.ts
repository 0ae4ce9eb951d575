/** A ticket of a booking; additional fields are served unchanged. */
export interface RollerTicket {
  readonly ticketId: string;
  readonly ticketHolderName?: string | null;
  readonly customTicketId?: string | null;
  readonly [field: string]: unknown;
}

/** An item of a booking; additional fields are served unchanged. */
export interface RollerItem {
  readonly bookingItemId: number;
  readonly productId: number;
  readonly quantity: number;
  readonly bookingDate: string;
  readonly bookingEndDate?: string | null;
  readonly sessionStartTime?: string | null;
  readonly sessionEndTime?: string | null;
  readonly tickets: readonly RollerTicket[];
  readonly [field: string]: unknown;
}

/** A booking as ROLLER serves it; additional fields are served unchanged. */
export interface RollerBooking {
  readonly uniqueId: string;
  readonly bookingReference: string;
  readonly status: string;
  readonly name: string;
  readonly customerId?: number | null;
  readonly comments?: string | null;
  readonly items: readonly RollerItem[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A guest record. */
export interface RollerGuest {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The owner of {@link rollerBooking}. */
export const rollerGuestId = 64310;

/** The guest records, by id. */
export const rollerGuests: Readonly<Record<string, RollerGuest>> = {
  [rollerGuestId]: {
    firstName: 'Zoë',
    lastName: 'Bäcker',
    email: 'zoe@example.com',
    phone: '+43 512 123456',
  },
};

/** The venue of the API key. */
export const rollerVenue = {
  id: 20711,
  name: 'Springhalle Innsbruck',
  timeZone: '(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna',
  ianaTimeZone: 'Europe/Vienna',
  countryCode: 'AT',
};

/** The products of the venue. */
export const rollerProducts = [
  {
    parentProductId: '500',
    parentProductName: '90 Minute Jump',
    type: 'sessionpass',
    isWaiverRequired: true,
    products: [
      { id: '501', name: 'Adult', groupSize: 1 },
      { id: '502', name: 'Under 12', groupSize: 1 },
    ],
  },
  {
    parentProductId: '600',
    parentProductName: 'Day Pass',
    type: 'pass',
    products: [{ id: '601', name: 'Adult', groupSize: 1 }],
  },
  {
    parentProductId: '700',
    parentProductName: 'Jump Socks',
    type: 'addon',
    products: [{ id: '701', name: 'Size M', groupSize: 1 }],
  },
] as const;

/** Two people who jump, and socks for both. */
export const rollerBooking: RollerBooking = {
  bookingReference: '91004417',
  uniqueId: '5b0c3c1e-7f0d-4a53-9a3f-2f9f0d9f4417',
  createdDate: '2027-05-30T08:12:40.4085882+00:00',
  channel: 'Online',
  source: 'Online',
  status: 'Paid',
  name: 'Zoë Bäcker',
  customerId: rollerGuestId,
  comments: 'Cake arrives at ten.',
  total: 43.5,
  remainder: 0,
  fees: 1.5,
  discount: 0,
  metadata: { reservationSource: 'partner-portal' },
  items: [
    {
      bookingItemId: 770001,
      productId: 501,
      quantity: 2,
      bookingDate: '2027-06-12',
      bookingEndDate: '2027-06-12',
      sessionStartTime: '09:30',
      sessionEndTime: '11:00',
      cost: 18,
      tickets: [
        { ticketId: '91004417-88001', customTicketId: 'band-1', ticketHolderName: null },
        { ticketId: '91004417-88002', ticketHolderName: 'Ægir Þórsson' },
      ],
    },
    {
      bookingItemId: 770002,
      productId: 701,
      quantity: 2,
      bookingDate: '2027-06-12',
      cost: 3,
      tickets: [{ ticketId: '91004417-88003' }, { ticketId: '91004417-88004' }],
    },
  ],
};
