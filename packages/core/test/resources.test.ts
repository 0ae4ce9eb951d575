import { describe, expect, it } from 'vitest';
import {
  currentBookingSchema,
  guestUpdateSchema,
  guestWebhookSchema,
  installRequestSchema,
  legacyBookingSchema,
  manifestSchema,
  specificationVersion,
} from '../src/index.ts';

const session = {
  startsAt: '2026-05-01T09:30:00Z',
  endsAt: '2026-05-01T11:30:00Z',
  activityId: 'raft',
  activityName: 'Rafting',
};
const booking = {
  id: 'B1',
  status: 'Active',
  contact: { name: 'Zoë', email: 'zoe@example.com' },
  pax: 2,
  guests: [],
  bookedSessions: [session],
  channel: 'web',
};

describe('the schemas say what the contract says', () => {
  it('a booking keeps properties that the contract does not name', () => {
    expect(currentBookingSchema.parse(booking)).toEqual(booking);
  });

  it.each([
    ['no session', { bookedSessions: [] }],
    ['a guest without a name', { guests: [{ id: 'G1' }] }],
    ['pax that is no integer', { pax: 1.5 }],
    [
      'a session that is not in UTC',
      { bookedSessions: [{ ...session, startsAt: '2026-05-01T09:30:00+02:00' }] },
    ],
  ])('a booking with %s is not to the letter', (_, change) => {
    expect(currentBookingSchema.safeParse({ ...booking, ...change }).success).toBe(false);
  });

  it('a legacy guest may be only an id', () => {
    const { bookedSessions: _, ...rest } = booking;
    const legacy = {
      ...rest,
      startsAt: session.startsAt,
      endsAt: session.endsAt,
      activities: [],
      guests: [{ guestId: 'G1' }],
    };
    expect(legacyBookingSchema.parse(legacy)).toEqual(legacy);
  });

  it('an install request keeps further account information and the type of accountId', () => {
    const request = { key: 'k', pool: 'p', accountId: 42, apiKey: 'a', region: 'eu' };
    expect(installRequestSchema.parse(request)).toEqual(request);
    expect(installRequestSchema.parse({ ...request, apiKey: 7 }).apiKey).toBe('7');
    expect(installRequestSchema.safeParse({ ...request, apiKey: 'a\r\nx: y' }).success).toBe(false);
  });

  it('a Guest Update needs its waiver, and may lack the guest id', () => {
    const waiver = {
      id: 'W',
      pool: 'p',
      bookingId: 'B',
      lastVisit: session.startsAt,
      deleted: false,
      updatedAt: session.endsAt,
    };
    expect(guestUpdateSchema.safeParse({ waiver }).success).toBe(true);
    expect(guestUpdateSchema.safeParse({ waiver: { ...waiver, id: 'é'.repeat(129) } }).success).toBe(false);
  });

  it('a webhook guest has milliseconds in its times', () => {
    const at = '2026-05-01T09:30:00.000Z';
    const guest = {
      id: 'W',
      pool: 'p',
      activities: [],
      createdAt: at,
      updatedAt: at,
      lastVisit: at,
      deleted: false,
      feedback: '',
      currentPage: null,
      reservationsID: null,
      reservationsService: '',
    };
    expect(guestWebhookSchema.safeParse({ guest }).success).toBe(true);
    expect(guestWebhookSchema.safeParse({ guest: { ...guest, createdAt: session.startsAt } }).success).toBe(
      false,
    );
  });

  it('a manifest of another specification version is refused', () => {
    const manifest = {
      specificationVersion,
      installName: 'standard',
      displayName: 'Standard',
      authHeaderName: 'api-key',
      guestUpdateAuthHeaderName: 'API-key',
      pathShape: 'path',
      guestId: 'none',
      writeUnit: 'waiver',
      capabilities: {
        forms: ['current'],
        guestUpdate: true,
        takes: ['waiver'],
        void: true,
        inbound: 'contract',
      },
    };
    expect(manifestSchema.safeParse(manifest).success).toBe(true);
    expect(manifestSchema.safeParse({ ...manifest, specificationVersion: 'v2' }).success).toBe(false);
    expect(manifestSchema.safeParse({ ...manifest, authHeaderName: 'api key' }).success).toBe(false);
  });
});
