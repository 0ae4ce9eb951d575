type Json = Readonly<Record<string, unknown>>;

/** A booking as Peek serves it: unit items lack unit, contact and status; only `voucher` shows redemption. */
export interface PeekBooking extends Json {
  readonly uuid: string;
  readonly status: string;
  readonly productId: string;
  readonly availability: Json;
}

export interface PeekProduct extends Json {
  readonly id: string;
}

const singles = '0b6a7f0e-51f2-4c0b-9a3c-3f6f2f6e7001';
const families = '0b6a7f0e-51f2-4c0b-9a3c-3f6f2f6e7002';

const unit = (id: string, internalName: string, type: string, paxCount: number) => ({
  id,
  internalName,
  reference: null,
  type,
  restrictions: {
    minAge: 0,
    maxAge: 99,
    idRequired: false,
    minQuantity: 0,
    maxQuantity: null,
    paxCount,
    accompaniedBy: [],
  },
});

/** A canoe tour in Oregon. Its only option has the product's own id. */
export const peekProduct: PeekProduct = {
  id: 'av_7001',
  internalName: 'Canoe at dusk',
  reference: null,
  locale: 'en',
  timeZone: 'America/Los_Angeles',
  allowFreesale: false,
  instantConfirmation: true,
  availabilityRequired: true,
  availabilityType: 'START_TIME',
  deliveryFormats: ['QRCODE'],
  deliveryMethods: ['VOUCHER'],
  redemptionMethod: 'DIGITAL',
  capabilities: [
    { id: 'octo/pricing', revision: 1, required: true, dependencies: [] },
    { id: 'octo/webhooks', revision: 1, required: false, dependencies: [] },
  ],
  options: [
    {
      id: 'av_7001',
      default: true,
      internalName: 'Canoe at dusk',
      reference: null,
      restrictions: {},
      units: [unit(singles, 'Paddler', 'ADULT', 1), unit(families, 'Family canoe', 'FAMILY', 4)],
    },
  ],
};

const unitItem = (uuid: string, unitId: string) => ({
  uuid,
  resellerReference: null,
  supplierReference: 'PK7001',
  unitId,
  ticket: null,
});

/** A canoe tour of an adult and a family. */
export const peekBooking: PeekBooking = {
  uuid: '6c1a52d4-8b9e-4d6e-a1a4-54f20b5a7001',
  testMode: true,
  resellerReference: 'VOUCHER-7001',
  supplierReference: 'PK7001',
  status: 'CONFIRMED',
  utcExpiresAt: null,
  utcConfirmedAt: '2027-05-02T18:00:00Z',
  productId: peekProduct.id,
  optionId: peekProduct.id,
  cancellable: true,
  cancellation: null,
  freesale: false,
  notes: 'Brings a dog',
  availability: {
    id: '20270612190000_120_6c1a52d4-8b9e-4d6e-a1a4-54f20b5a7009',
    localDateTimeStart: '2027-06-12T19:00:00-07:00',
    localDateTimeEnd: '2027-06-12T21:00:00-07:00',
    allDay: false,
    openingHours: [],
  },
  contact: {
    fullName: 'Zoë Castañeda',
    emailAddress: 'zoe@example.com',
    phoneNumber: '+1 503 555 0100',
    locales: ['en'],
    country: 'US',
  },
  deliveryMethods: ['VOUCHER'],
  voucher: { redemptionMethod: 'DIGITAL', utcRedeemedAt: null, deliveryOptions: [] },
  unitItems: [
    unitItem('b1000000-8b9e-4d6e-a1a4-54f20b5a7001', singles),
    unitItem('b2000000-8b9e-4d6e-a1a4-54f20b5a7001', families),
  ],
};
