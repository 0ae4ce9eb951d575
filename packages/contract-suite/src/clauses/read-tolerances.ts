import type { BookingSystemPlugin } from '@waiver-service/core';
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

/** Expects changes to the fields that both forms share to be tolerated with warnings. */
async function expectTolerated(kit: ClauseKit, changes: Body, read: Body, warnings: string[]): Promise<void> {
  for (const write of inEachForm(kit.plugin)) {
    expectFetched(await fetchBody(kit, write(changes)), { ...contractBooking, ...read }, warnings);
  }
}

/** Expects changes to a session of the current form to be tolerated with warnings. */
async function expectSessionTolerated(kit: ClauseKit, changes: Body, read: Body, warnings: string[]) {
  const fetched = await fetchBody(kit, writeCurrent({ bookedSessions: [firstSession(changes)] }));
  expectFetched(fetched, { ...contractBooking, bookedSessions: [firstSession(read)] }, warnings);
}

/** A status that means an active booking to the plugin. */
const activeStatusOf = ({ statusMap = {} }: BookingSystemPlugin): string =>
  Object.keys(statusMap).find((status) => statusMap[status] === 'active') ?? contractBooking.status;

const section = 'decisions, reading';

/** Tolerated deviations from the contract, each with its warning. */
export const readToleranceClauses: readonly Clause[] = [
  {
    id: 'tolerance/both-forms',
    section,
    title: 'a response in both forms counts as the current one (both_forms)',
    appliesTo: readsBoth,
    async run(kit) {
      const { activities } = writeLegacy();
      const fetched = await fetchBody(kit, writeCurrent({ activities }));
      expectFetched(fetched, { ...contractBooking, activities }, ['both_forms bookedSessions']);
    },
  },
  {
    id: 'tolerance/null',
    section,
    title: 'null in an optional field counts as absent (null_as_absent)',
    appliesTo: readsContract,
    run: (kit) =>
      expectTolerated(
        kit,
        {
          notes: null,
          contact: changedContact({ email: null }),
          guests: [firstGuest({ email: null, phoneNumber: null })],
        },
        {
          notes: undefined,
          contact: changedContact({ email: undefined }),
          guests: [firstGuest({ email: undefined, phoneNumber: undefined })],
        },
        [
          'null_as_absent notes',
          'null_as_absent contact.email',
          'null_as_absent guests[0].email',
          'null_as_absent guests[0].phoneNumber',
        ],
      ),
  },
  {
    id: 'tolerance/number-as-string',
    section,
    title: 'a number in place of a text is converted (number_as_string)',
    appliesTo: readsContract,
    run: (kit) =>
      expectTolerated(
        kit,
        {
          id: 2001,
          contact: changedContact({ phoneNumber: 43512123456 }),
          guests: [firstGuest({ id: 0 })],
        },
        {
          id: '2001',
          contact: changedContact({ phoneNumber: '43512123456' }),
          guests: [firstGuest({ id: '0' })],
        },
        ['number_as_string id', 'number_as_string contact.phoneNumber', 'number_as_string guests[0].id'],
      ),
  },
  {
    id: 'tolerance/number-as-activity-id',
    section,
    title: 'a numeric activity id becomes a text (number_as_string)',
    appliesTo: readsContract,
    async run(kit) {
      if (readsCurrent(kit.plugin)) {
        await expectSessionTolerated(kit, { activityId: 12 }, { activityId: '12' }, [
          'number_as_string bookedSessions[0].activityId',
        ]);
      }
      if (!readsLegacy(kit.plugin)) return;
      const activities = [{ activity: 'Canyoning – Grünbach', activityId: 12 }];
      const bookedSessions = [firstSession({ activityId: '12' })];
      expectFetched(
        await fetchBody(kit, writeLegacy({ activities })),
        { ...contractBooking, bookedSessions },
        ['number_as_string activities[0].activityId'],
      );
    },
  },
  {
    id: 'tolerance/string-as-number',
    section,
    title: 'a text of digits as pax is converted (string_as_number)',
    appliesTo: readsContract,
    run: (kit) => expectTolerated(kit, { pax: '12' }, { pax: 12 }, ['string_as_number pax']),
  },
  {
    id: 'tolerance/date-time-offset',
    section,
    title: 'a date-time with an offset, with or without its colon, becomes UTC (date_time_rewritten)',
    appliesTo: readsContract,
    async run(kit) {
      const times = { startsAt: '2027-06-12T09:30:00+02:00', endsAt: '2027-06-12T13:00:00+0200' };
      if (readsCurrent(kit.plugin)) {
        await expectSessionTolerated(kit, times, {}, [
          'date_time_rewritten bookedSessions[0].startsAt',
          'date_time_rewritten bookedSessions[0].endsAt',
        ]);
      }
      if (!readsLegacy(kit.plugin)) return;
      expectFetched(await fetchBody(kit, writeLegacy(times)), contractBooking, [
        'date_time_rewritten startsAt',
        'date_time_rewritten endsAt',
      ]);
    },
  },
  {
    id: 'tolerance/guest-without-name',
    section,
    title: 'guests without a name are kept, without a made-up name, with one warning (guest_without_name)',
    appliesTo: readsContract,
    run: (kit) =>
      expectTolerated(
        kit,
        { guests: [firstGuest({ name: undefined }), firstGuest({ id: 'G-2', name: '' })] },
        { guests: [firstGuest({ name: undefined }), firstGuest({ id: 'G-2', name: undefined })] },
        ['guest_without_name guests'],
      ),
  },
  {
    id: 'tolerance/nobody-expected',
    section,
    title: 'a booking that is not cancelled and has the pax 0 is read, with a warning (nobody_expected)',
    appliesTo: readsContract,
    run(kit) {
      const changes = { status: activeStatusOf(kit.plugin), pax: 0 };
      return expectTolerated(kit, changes, changes, ['nobody_expected pax']);
    },
  },
  {
    id: 'tolerance/unknown-status',
    section,
    title: 'a status that the manifest’s map lacks is a warning (unknown_status), and no other status is',
    appliesTo: all(readsContract, hasStatusMap),
    async run(kit) {
      const { statusMap = {} } = kit.plugin;
      for (const status of [...Object.keys(statusMap), 'a status of no map']) {
        for (const write of inEachForm(kit.plugin)) {
          const { warnings } = await fetchBody(kit, write({ status }));
          const unknown = warnings.filter(({ code }) => code === 'unknown_status').map(({ path }) => path);
          expect(unknown, status).toEqual(Object.hasOwn(statusMap, status) ? [] : ['status']);
        }
      }
    },
  },
  {
    id: 'tolerance/session-incomplete',
    section,
    title: 'a session needs only its start; each other missing field is a warning (session_incomplete)',
    appliesTo: readsCurrent,
    async run(kit) {
      const missing = { endsAt: undefined, activityId: undefined, activityName: undefined };
      await expectSessionTolerated(kit, missing, missing, [
        'session_incomplete bookedSessions[0].endsAt',
        'session_incomplete bookedSessions[0].activityId',
        'session_incomplete bookedSessions[0].activityName',
      ]);
    },
  },
  {
    id: 'tolerance/contact-incomplete',
    section,
    title: 'a contact with an empty name is a warning (contact_incomplete)',
    appliesTo: readsContract,
    run(kit) {
      const contact = changedContact({ name: '' });
      return expectTolerated(kit, { contact }, { contact }, ['contact_incomplete contact.name']);
    },
  },
  {
    id: 'tolerance/value-ignored',
    section,
    title: 'a value of the wrong type in an optional field is dropped (value_ignored)',
    appliesTo: readsContract,
    run: (kit) =>
      expectTolerated(
        kit,
        { notes: ['a'], guests: [firstGuest({ email: { work: 'zoe@example.com' } })] },
        { notes: undefined, guests: [firstGuest({ email: undefined })] },
        ['value_ignored notes', 'value_ignored guests[0].email'],
      ),
  },
  {
    id: 'tolerance/id-differs',
    section,
    title: 'a booking with another id than the requested one is a warning (id_differs)',
    appliesTo: readsContract,
    async run(kit) {
      for (const write of inEachForm(kit.plugin)) {
        kit.partner.willAnswer('GET', { body: write({ id: 'BK-9' }) });
        expectFetched(await kit.read(), { ...contractBooking, id: 'BK-9' }, ['id_differs id']);
      }
    },
  },
];
