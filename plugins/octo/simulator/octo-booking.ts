type Json = Readonly<Record<string, unknown>>;

export type OctoContact = Json;

export interface OctoUnitItem extends Json {
  readonly uuid: string;
  readonly unitId: string;
  readonly contact: OctoContact;
  readonly resellerReference: string | null;
  /** Changes whenever a PATCH includes the unit item, which invalidates the guest's previous ticket. */
  readonly supplierReference: string;
}

/** A booking as OCTO serves it; additional fields are served unchanged. */
export interface OctoBooking extends Json {
  readonly uuid: string;
  readonly productId: string;
  readonly cancellable: boolean;
  readonly notes: string | null;
  readonly contact: OctoContact;
  readonly unitItems: readonly OctoUnitItem[];
}

/** A field of a vendor's waiver form (`octo/waivers`). */
export interface OctoWaiverField {
  readonly id: string;
  readonly internalName: string;
  readonly required: boolean;
  readonly inputType: string;
}

export interface OctoProduct extends Json {
  readonly id: string;
  readonly waiverPer?: 'BOOKING' | 'UNIT';
  readonly waivers?: readonly { readonly id: string; readonly fields: readonly OctoWaiverField[] }[];
}

const noContact: OctoContact = {
  fullName: null,
  firstName: null,
  lastName: null,
  emailAddress: null,
  phoneNumber: null,
  locales: [],
  postalCode: null,
  country: null,
  notes: null,
};

const unitItem = (uuid: string, place: number): OctoUnitItem => ({
  uuid,
  resellerReference: `AG-55-${place}`,
  supplierReference: `KAY-5501-${place}`,
  unitId: 'adult',
  unit: { id: 'adult', type: 'ADULT', restrictions: { minAge: 16, maxAge: 99, paxCount: 1 } },
  status: 'CONFIRMED',
  contact: noContact,
  ticket: null,
});

/** A kayak tour for two adults. */
export const octoBooking: OctoBooking = {
  id: 'b-5501',
  uuid: '5f1a5a6e-0b1c-4d53-9c58-2a6f6f6f5501',
  testMode: true,
  resellerReference: null,
  supplierReference: 'KAY-5501',
  status: 'CONFIRMED',
  productId: 'kayak',
  product: {
    id: 'kayak',
    internalName: 'Kayak tour',
    timeZone: 'Europe/Lisbon',
    availabilityType: 'START_TIME',
  },
  optionId: 'DEFAULT',
  cancellable: true,
  availability: {
    id: '2027-06-12T09:00:00+01:00',
    localDateTimeStart: '2027-06-12T09:00:00+01:00',
    localDateTimeEnd: '2027-06-12T12:00:00+01:00',
    allDay: false,
    openingHours: [],
  },
  contact: { ...noContact, fullName: 'Inês Duarte', emailAddress: 'ines@example.com' },
  notes: 'Ring the bell twice',
  unitItems: [
    unitItem('11111111-0b1c-4d53-9c58-2a6f6f6f5501', 1),
    unitItem('22222222-0b1c-4d53-9c58-2a6f6f6f5501', 2),
  ],
};
