import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { all, hasStatusMap, readsBoth, readsContract, readsCurrent, readsLegacy } from '../conditions.ts';
import { expectFetched } from '../expectations.ts';
import {
  type Body,
  changedContact,
  contractBooking,
  firstGuest,
  firstSession,
  writeCurrent,
  writeLegacy,
} from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { fetchBody, inEachForm } from './operations.ts';

const [firstSessionRead] = contractBooking.bookedSessions;

async function expectInEachForm(kit: ClauseKit, changes: Body, booking: Body, warnings: string[] = []) {
  for (const write of inEachForm(kit.plugin)) {
    expectFetched(await fetchBody(kit, write(changes)), { ...contractBooking, ...booking }, warnings);
  }
}

/** Reading the contract's two forms. */
export const readFormClauses: readonly Clause[] = [
  {
    id: 'read/current-form',
    section: 'contract 2.1',
    title: 'the current form is read completely and without a warning',
    appliesTo: readsCurrent,
    async run(kit) {
      const fetched = await fetchBody(kit, writeCurrent());
      expectFetched(fetched, contractBooking);
      expect(fetched.form).toBe('current');
    },
  },
  {
    id: 'read/legacy-form',
    section: 'contract 9',
    title: 'the legacy form is read without a warning: a session for each activity, at the booking’s times',
    appliesTo: readsLegacy,
    async run(kit) {
      const fetched = await fetchBody(kit, writeLegacy());
      expectFetched(fetched, contractBooking);
      expect(fetched.form).toBe('legacy');
    },
  },
  {
    id: 'read/equal-forms',
    section: 'contract 9',
    title: 'a booking written in either form yields an equal booking, including additional fields',
    appliesTo: readsBoth,
    async run(kit) {
      const others = { notes: 'früh da', pax: 7, channel: { name: 'web' }, guests: [] };
      const current = await fetchBody(kit, writeCurrent(others));
      const legacy = await fetchBody(kit, writeLegacy(others));
      expect(legacy.booking).toEqual(current.booking);
    },
  },
  {
    id: 'read/several-sessions',
    section: 'contract 2.3',
    title: 'sessions at the same time or of the same activity are neither merged nor reordered',
    appliesTo: readsCurrent,
    async run(kit) {
      const later = { startsAt: '2027-06-13T07:30:00Z', endsAt: '2027-06-13T09:00:00.500Z' };
      const bookedSessions = [firstSession({}), firstSession(later), firstSession({}), firstSession({})];
      expectFetched(await fetchBody(kit, writeCurrent({ bookedSessions })), {
        ...contractBooking,
        bookedSessions,
      });
    },
  },
  {
    id: 'read/legacy-without-activities',
    section: 'decisions, reading',
    title: 'a legacy booking without activities has one session, with the times only',
    appliesTo: readsLegacy,
    async run(kit) {
      const { startsAt, endsAt } = firstSessionRead ?? {};
      for (const activities of [undefined, []]) {
        const { booking } = await fetchBody(kit, writeLegacy({ activities }));
        expect(booking.bookedSessions).toEqual([{ startsAt, endsAt }]);
      }
    },
  },
  {
    id: 'read/legacy-guest-id-only',
    section: 'contract 9',
    title: 'a legacy guest with only a guestId is kept, with a warning and without a made-up name',
    appliesTo: readsLegacy,
    async run(kit) {
      const fetched = await fetchBody(kit, writeLegacy({ guests: [{ guestId: '7001' }] }));
      expectFetched(fetched, { ...contractBooking, guests: [{ id: '7001' }] }, ['guest_without_name guests']);
    },
  },
  {
    id: 'read/guest-id',
    section: 'decisions, reading',
    title: 'a guest’s id is its id, else its guestId, in either form',
    appliesTo: readsContract,
    async run(kit) {
      for (const write of inEachForm(kit.plugin)) {
        const guests = [
          { id: 'A', name: 'Ann' },
          { guestId: 'B', name: 'Bob' },
          { id: 'C', guestId: 'D', name: 'Cid' },
          { name: 'Dan' },
        ];
        const { booking } = await fetchBody(kit, write({ guests }));
        expect(booking.guests.map(({ id }) => id)).toEqual(['A', 'B', 'C', undefined]);
      }
    },
  },
  {
    id: 'read/no-guests',
    section: 'contract 2.1',
    title: 'a booking without individual guests has none: the contact does not become a guest',
    appliesTo: readsContract,
    run: (kit) => expectInEachForm(kit, { guests: [] }, { guests: [] }),
  },
  {
    id: 'read/notes-absent',
    section: 'contract 2.1',
    title: 'a booking without notes is read without a warning',
    appliesTo: readsContract,
    run: (kit) => expectInEachForm(kit, { notes: undefined }, { notes: undefined }),
  },
  {
    id: 'read/unknown-fields',
    section: 'contract 2.1, 2.4',
    title: 'unknown fields are kept unchanged, in the booking, its guests and its contact',
    appliesTo: readsContract,
    async run(kit) {
      const others = { shoeSize: 39, diet: ['vegan', null], nested: { deep: { er: true } } };
      const changes = { ...others, contact: changedContact(others), guests: [firstGuest(others)] };
      await expectInEachForm(kit, changes, changes);
    },
  },
  {
    id: 'read/status-as-it-is',
    section: 'decisions, reading',
    title: 'the booking system’s status is passed through unchanged',
    appliesTo: readsContract,
    async run(kit) {
      for (const status of ['Teilweise bezahlt', 'CANCELLED', ' on hold ']) {
        for (const write of inEachForm(kit.plugin)) {
          expect((await fetchBody(kit, write({ status }))).booking.status).toBe(status);
        }
      }
    },
  },
  {
    id: 'read/status-group',
    section: 'decisions, reading',
    title: 'a status in the manifest’s map gets its group, any other status "other"',
    appliesTo: all(readsContract, hasStatusMap),
    async run(kit) {
      const known = Object.entries(kit.plugin.statusMap ?? {});
      for (const [status, group] of [...known, ['a status of no map', 'other']]) {
        for (const write of inEachForm(kit.plugin)) {
          expect((await fetchBody(kit, write({ status }))).booking.statusGroup, status).toBe(group);
        }
      }
    },
  },
];
