/** A customer, or a person linked to one. Additional fields are kept. */
export interface BookeoPerson {
  readonly id: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly customFields?: readonly BookeoCustomField[];
  readonly [field: string]: unknown;
}

/** A custom field of a person, identified by id, name or both. */
export interface BookeoCustomField {
  readonly id?: string;
  readonly name?: string;
  readonly value: string;
}

/** A customer and the people linked to them. */
export interface BookeoCustomer {
  readonly person: BookeoPerson;
  readonly linkedPeople: readonly BookeoPerson[];
}

/** A place in a booking. `personId` is `PSELF` for the customer, `PUNKNOWN` for a vacant place, else a linked person's id. */
export interface BookeoParticipant {
  readonly personId: string;
  readonly peopleCategoryId: string;
  readonly categoryIndex: number;
}

/** A booking as Bookeo stores it; a response includes its people only if the request asks to expand them. */
export interface BookeoBooking {
  readonly bookingNumber: string;
  readonly customerId: string;
  readonly participants: {
    readonly numbers: readonly { readonly peopleCategoryId: string; readonly number: number }[];
    readonly details: readonly BookeoParticipant[];
  };
  readonly [field: string]: unknown;
}

/** A customer with one linked person, and a custom field filled by staff. */
export const bookeoCustomer: BookeoCustomer = {
  person: {
    id: '4155700C',
    firstName: 'Zoë',
    lastName: 'Bäcker',
    emailAddress: 'zoe@example.com',
    phoneNumbers: [{ number: '+43 512 123456', type: 'mobile' }],
    numBookings: 3,
    languageCode: 'de',
    customFields: [{ id: 'F1', name: 'Waiver', value: 'Paper waiver of 2025 in the blue folder' }],
  },
  linkedPeople: [
    {
      id: '4155700L1',
      customerId: '4155700C',
      firstName: 'Ægir',
      lastName: 'Þórsson',
      dateOfBirth: '2015-03-02',
      streetAddress: { city: 'Innsbruck', countryCode: 'AT' },
      creationTime: '2026-01-02T10:00:00+01:00',
      customFields: [{ id: 'F2', name: 'Shoe size', value: '34' }],
    },
  ],
};

/** A booking of the customer, the linked person and an unknown person. */
export const bookeoBooking: BookeoBooking = {
  bookingNumber: '1551811041123456',
  eventId: '4155U9FKHK_2027-06-12',
  startTime: '2027-06-12T09:30:00+02:00',
  endTime: '2027-06-12T13:00:00+02:00',
  customerId: '4155700C',
  title: 'Zoë Bäcker',
  participants: {
    numbers: [
      { peopleCategoryId: 'Cadults', number: 2 },
      { peopleCategoryId: 'Cchildren', number: 1 },
    ],
    details: [
      { personId: 'PSELF', peopleCategoryId: 'Cadults', categoryIndex: 1 },
      { personId: 'PUNKNOWN', peopleCategoryId: 'Cadults', categoryIndex: 2 },
      { personId: '4155700L1', peopleCategoryId: 'Cchildren', categoryIndex: 1 },
    ],
  },
  canceled: false,
  accepted: true,
  productId: '4155HRMK3',
  productName: 'Canyoning half day ',
  options: [{ id: 'O1', name: 'Wetsuit', value: 'true' }],
  externalRef: 'desk-17',
  price: { totalGross: { amount: '180', currency: 'EUR' } },
};
