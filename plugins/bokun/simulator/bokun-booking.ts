/** A person in a booking, at the price of a category; additional fields are served unchanged. */
export interface BokunPerson {
  readonly id: number;
  readonly passengerInfo: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A booked activity; additional fields are served unchanged. */
export interface BokunActivity {
  readonly bookingId: number;
  readonly status: string;
  /** Midnight UTC of its day, in milliseconds. */
  readonly date: number;
  /** In the vendor's time zone: `09:00`. */
  readonly startTime: string | null;
  readonly pricingCategoryBookings: readonly BokunPerson[];
  readonly [field: string]: unknown;
}

/** A booking as Bókun serves it, known by its code and by its number; additional fields are served unchanged. */
export interface BokunBooking {
  readonly confirmationCode: string;
  readonly bookingId: number;
  readonly status: string;
  readonly activityBookings: readonly BokunActivity[];
  readonly [field: string]: unknown;
}

const adults = { id: 3646, title: 'Adults', ticketCategory: 'ADULT', occupancy: 1 };

const person = (id: number, passengerInfo: BokunPerson['passengerInfo']): BokunPerson => ({
  id,
  pricingCategoryId: adults.id,
  pricingCategory: adults,
  leadPassenger: false,
  age: 0,
  passengerInfo: { id: id + 1000, email: null, phoneNumber: null, ...passengerInfo },
  bookingAnswers: [],
  bookedTitle: 'Adults',
  quantity: 1,
  answers: [],
});

/** A whale watching for two adults, one of whom has a name. */
export const bokunBooking: BokunBooking = {
  confirmationCode: 'SEA-105698735',
  bookingId: 105698735,
  externalBookingReference: null,
  status: 'CONFIRMED',
  language: 'en',
  customer: {
    id: 1,
    contactDetailsHidden: false,
    firstName: 'Marta',
    lastName: 'Vieira',
    email: 'marta@example.com',
    phoneNumber: '+351 21 555 0142',
  },
  accommodationBookings: [],
  routeBookings: [],
  giftCardBookings: [],
  activityBookings: [
    {
      bookingId: 138308695,
      parentBookingId: 105698735,
      confirmationCode: 'SEA-105698735',
      productConfirmationCode: 'SEA-T138308695',
      status: 'CONFIRMED',
      title: 'Whale watching (Standard)',
      productId: 1287578,
      product: { id: 1287578, title: 'Whale watching' },
      activity: { id: 1287578, title: 'Whale watching', timeZone: 'UTC', bookingType: 'DATE_AND_TIME' },
      date: Date.UTC(2027, 5, 12),
      startTime: '09:00',
      startTimeId: 5782388,
      startDateTime: Date.UTC(2027, 5, 12, 9),
      endDateTime: Date.UTC(2027, 5, 12, 12),
      pricingCategoryBookings: [
        person(354425801, { firstName: 'Marta', lastName: 'Vieira', dateOfBirth: '1990-02-01' }),
        person(354425802, { firstName: null, lastName: null }),
      ],
      totalParticipants: 2,
    },
  ],
};
