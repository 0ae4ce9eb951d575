import type { BookingSystemPlugin } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectRejection } from '../expectations/rejection.ts';
import { contractWaiver } from '../fixtures/waivers.ts';
import { readsNative, writesNative } from '../manifest-predicates.ts';

const section = 'plugin interface, aliases';

const hasAliases = (plugin: BookingSystemPlugin) =>
  readsNative(plugin) && plugin.capabilities.aliases === true;

/** Plugins that must not write twice to one booking at once. */
const writesToBookings = (plugin: BookingSystemPlugin) =>
  hasAliases(plugin) && writesNative(plugin) && plugin.writeUnit === 'booking';

/** Requests for one booking by several ids. */
export const aliasClauses: readonly Clause[] = [
  {
    id: 'aliases/read',
    section,
    title: 'a booking that is asked for by another id is returned with its own, without a warning',
    appliesTo: hasAliases,
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
    appliesTo: writesToBookings,
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
