import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import {
  all,
  followsContract,
  hasAliases,
  hasBookingInPath,
  readsNative,
  sendsKeyHeader,
  writesNative,
  writesToBookings,
} from '../conditions.ts';
import {
  expectEncoded,
  expectNoSecretInUrl,
  expectQueryValue,
  expectRejection,
  onlyRequest,
  rawQueryValues,
} from '../expectations.ts';
import { contractWaiver, hostileIds } from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerRequest } from '../kit/partner.ts';

const section = 'plugin interface, aliases';

/** Requests for one booking by several ids. */
export const aliasClauses: readonly Clause[] = [
  {
    id: 'aliases/read',
    section,
    title: 'a booking that is asked for by another id is returned with its own, without a warning',
    appliesTo: all(readsNative, hasAliases),
    async run(kit) {
      const { bodies, bookingId: defaultId, readRequest } = kit.native;
      const aliased = bodies.filter(
        ({ bookingId = defaultId, expected }) => bookingId !== expected.booking.id,
      );
      expect(aliased.length, 'capabilities.aliases: one of native.bodies has another id').toBeGreaterThan(0);
      for (const { name, bookingId = defaultId, body, further = [], expected } of aliased) {
        kit.partner.willAnswer(readRequest.method, { body });
        for (const { request, answer } of further) kit.partner.willAnswer(request.method, answer);
        const { booking, warnings } = await kit.read(bookingId);
        expect(booking.id, name).toBe(expected.booking.id);
        expect(
          warnings.map(({ code }) => code),
          name,
        ).not.toContain('id_differs');
      }
    },
  },
  {
    id: 'aliases/write',
    section,
    title: 'a waiver under another id is not written before the host knows the booking’s own',
    appliesTo: all(readsNative, hasAliases, writesNative, writesToBookings),
    async run(kit) {
      const { guestUpdates = [], bookingId } = kit.native;
      const aliased = guestUpdates.flatMap(({ expected, ...update }) =>
        'ownId' in expected ? { ...update, ...expected } : [],
      );
      expect(
        aliased.length,
        'capabilities.aliases: one of native.guestUpdates is rejected as booking_has_other_id',
      ).toBeGreaterThan(0);
      for (const { waiver, exchanges, code, ownId } of aliased) {
        const before = kit.partner.requests.length;
        for (const { request, answer } of exchanges) kit.partner.willAnswer(request.method, answer);
        const pushed = kit.push(contractWaiver({ bookingId, ...waiver }));
        await expectRejection(pushed, code, { bookingId: ownId, inDoubt: false });
        const made = kit.partner.requests.slice(before);
        expect(made.map(({ method }) => method)).toEqual(made.map(() => 'GET'));
      }
    },
  },
];

/** Reads a booking and returns its request. */
async function requestOfRead(
  kit: ClauseKit,
  bookingId: string = kit.bookingId,
  pool?: string,
): Promise<PartnerRequest> {
  const before = kit.partner.requests.length;
  kit.partner.willAnswer('GET', { body: { ...Object(kit.bookingBody), id: bookingId } });
  await kit.read(bookingId, pool === undefined ? {} : { pool });
  return onlyRequest(kit.partner.requests.slice(before));
}

/** The request of the contract's Booking Details. */
export const readRequestClauses: readonly Clause[] = [
  {
    id: 'read/address',
    section: 'contract 4.1',
    title: 'GETs below the base address, in the path shape of the manifest',
    appliesTo: followsContract,
    async run(kit) {
      const request = await requestOfRead(kit);
      if (kit.contract.pathShape === 'path') {
        expect(request.path).toBe(`/bookings/${kit.bookingId}`);
        expect(rawQueryValues(request, 'id')).toEqual([]);
      } else {
        expect(request.path).toBe('/bookings');
        expect(rawQueryValues(request, 'id')).toEqual([kit.bookingId]);
      }
    },
  },
  {
    id: 'read/id-encoding',
    section: 'contract 4.1, 8',
    title: 'any booking id arrives unchanged',
    appliesTo: followsContract,
    async run(kit) {
      for (const id of hostileIds) {
        const request = await requestOfRead(kit, id);
        if (kit.contract.pathShape === 'query') expectQueryValue(request, 'id', id);
        else {
          expect(request.path).toMatch(/^\/bookings\/[^/]+$/);
          expectEncoded(request.path.split('/')[2], id, 'the booking id in the path');
        }
      }
    },
  },
  {
    id: 'read/dot-segments',
    section: 'decisions, sending',
    title: 'an id "." or "..", which would change the address, is refused before any request',
    appliesTo: hasBookingInPath,
    async run(kit) {
      for (const id of ['.', '..']) {
        await expect(kit.read(id), `the id ${id}`).rejects.toMatchObject({ code: 'booking_not_found' });
      }
      expect(kit.partner.requests).toEqual([]);
    },
  },
  {
    id: 'read/pool',
    section: 'contract 4.1',
    title: 'the query has the pool, encoded',
    appliesTo: followsContract,
    async run(kit) {
      for (const pool of ['pool-1', 'a&id=b', 'ü +/?#%']) {
        expectQueryValue(await requestOfRead(kit, kit.bookingId, pool), 'pool', pool);
      }
    },
  },
  {
    id: 'read/auth-header',
    section: 'contract 4.1, 5',
    title: 'the account’s key is in the header that the manifest declares',
    appliesTo: all(followsContract, sendsKeyHeader),
    async run(kit) {
      const { headers } = await requestOfRead(kit);
      expect(headers.get(kit.contract.authHeaderName)).toBe(kit.account.apiKey);
    },
  },
];

/** Every request of a read, in the contract's or a vendor's form. */
export const readSafetyClauses: readonly Clause[] = [
  {
    id: 'read/no-secret-in-url',
    section: 'decisions, sending',
    title: 'the URL of a read contains no secret but what `authenticate` adds',
    async run(kit) {
      kit.partner.willAnswer(kit.readMethod, { status: 500, body: { success: false } });
      await kit.read().catch(() => undefined);
      expect(kit.partner.requests.length).toBeGreaterThan(0);
      for (const request of kit.partner.requests) expectNoSecretInUrl(kit, request);
    },
  },
];
