import {
  type ReceivedRequest,
  type RecordingServer,
  type SimulatedAnswer,
  startRecordingServer,
} from '@waiver-service/simulator';

type Json = Readonly<Record<string, unknown>>;

/** A booking as Zaui serves it: it identifies its product and units, but has no details of them. */
interface ZauiBooking extends Json {
  readonly uuid: string;
  readonly productId: string;
  readonly availability: Json;
}

interface ZauiProduct extends Json {
  readonly id: string;
}

const adults = 'adults_6b1d0f7e-2f0b-4f58-8f9c-0e4c7d1a9001';
const families = 'families_6b1d0f7e-2f0b-4f58-8f9c-0e4c7d1a9002';

const unit = (id: string, type: string, paxCount: number) => ({
  id,
  internalName: type,
  reference: null,
  type,
  restrictions: { minAge: 0, maxAge: 100, idRequired: false, paxCount, accompaniedBy: [] },
});

/** A boat tour in Vancouver. */
const zauiProduct: ZauiProduct = {
  id: 'c3a9d6c2-59a1-4a55-9d57-7b1b6f0e9001',
  internalName: '9:30am - Whale watching',
  reference: null,
  locale: 'en-US',
  timeZone: 'America/Vancouver',
  availabilityType: 'START_TIME',
  options: [
    {
      id: 'DEFAULT',
      default: true,
      internalName: 'Standard tour',
      units: [unit(adults, 'ADULT', 1), unit(families, 'FAMILY', 4)],
    },
  ],
};

const noContact = { fullName: null, emailAddress: null, phoneNumber: null, locales: [], country: null };

const unitItem = (uuid: string, unitId: string) => ({
  uuid,
  resellerReference: null,
  supplierReference: null,
  unitId,
  status: 'CONFIRMED',
  contact: noContact,
  ticket: null,
});

/** A whale-watching tour of an adult and a family. */
export const zauiBooking: ZauiBooking = {
  id: '7d0b52d4-8b9e-4d6e-a1a4-54f20b5a9001',
  uuid: '7d0b52d4-8b9e-4d6e-a1a4-54f20b5a9001',
  testMode: false,
  resellerReference: 'VOUCHER-9001',
  supplierReference: 'Z-9001',
  status: 'CONFIRMED',
  productId: zauiProduct.id,
  optionId: 'DEFAULT',
  cancellable: true,
  cancellation: null,
  freesale: false,
  availabilityId: '2027-06-12T09:30:00-07:00',
  availability: {
    id: '2027-06-12T09:30:00-07:00',
    localDateTimeStart: '2027-06-12T09:30:00-07:00',
    localDateTimeEnd: '2027-06-12T12:30:00-07:00',
    allDay: false,
    openingHours: [],
  },
  contact: {
    fullName: 'Siân Ó Briain',
    emailAddress: 'sian@example.com',
    phoneNumber: '+1 604 555 0100',
    locales: ['en-CA'],
    country: 'CA',
  },
  notes: 'Seasick once',
  deliveryMethods: ['VOUCHER'],
  voucher: null,
  unitItems: [
    unitItem('a1000000-8b9e-4d6e-a1a4-54f20b5a9001', adults),
    unitItem('a2000000-8b9e-4d6e-a1a4-54f20b5a9001', families),
  ],
};

/** The routes for which faults can be planned. */
export type ZauiRoute = 'read' | 'product';

export interface ZauiOptions {
  readonly apiKey: string;
}

/** Zaui's OCTO API over real HTTP; `url` includes the base path. */
export interface SimulatedZaui extends RecordingServer<ZauiRoute> {
  /** Adds a booking, or replaces the one with the same uuid. */
  put(booking: ZauiBooking): void;
}

const route = /^\/octo\/(bookings|products)\/([^/?]+)$/;

const refuse = (error: string, errorMessage: string, details: object = {}): SimulatedAnswer => ({
  status: 400,
  body: { error, errorMessage, ...details },
});

function routeOf(method: string, path: string): ZauiRoute | 'other' {
  if (method !== 'GET') return 'other';
  const kind = route.exec(path)?.[1];
  return kind === 'bookings' ? 'read' : kind === 'products' ? 'product' : 'other';
}

/** Starts Zaui's OCTO API on 127.0.0.1. Its bookings cannot be changed, as in Zaui. */
export async function startZaui({ apiKey }: ZauiOptions): Promise<SimulatedZaui> {
  const bookings = new Map([[zauiBooking.uuid, zauiBooking]]);

  function answer({ route: requested, path, headers }: ReceivedRequest<ZauiRoute>): SimulatedAnswer {
    if (requested === 'other') return { status: 404, body: { error: 'NOT_FOUND', errorMessage: 'no route' } };
    if (headers.authorization === undefined) return refuse('UNAUTHORIZED', 'the key is missing');
    if (headers.authorization !== `Bearer ${apiKey}`) return refuse('FORBIDDEN', 'the key is wrong');
    const id = decodeURIComponent(route.exec(path)?.[2] ?? '');
    if (requested === 'read') {
      const booking = bookings.get(id);
      if (booking === undefined)
        return refuse('INVALID_BOOKING_UUID', 'there is no such booking', { uuid: id });
      return { status: 200, body: booking };
    }
    return id === zauiProduct.id
      ? { status: 200, body: zauiProduct }
      : refuse('INVALID_PRODUCT_ID', 'there is no such product', { productId: id });
  }

  const server = await startRecordingServer<ZauiRoute>({ routeOf, answer });
  return { ...server, url: `${server.url}/octo`, put: (booking) => void bookings.set(booking.uuid, booking) };
}
