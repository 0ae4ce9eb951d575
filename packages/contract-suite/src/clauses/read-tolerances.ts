import type { Clause } from '../clause.ts';
import { expectFetched } from '../expectations/fetched.ts';
import {
  type Body,
  changedContact,
  contractBooking,
  firstGuest,
  firstSession,
  writeCurrent,
  writeLegacy,
} from '../fixtures/bookings.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { readsBoth, readsContract, readsCurrent, readsLegacy } from '../manifest-questions.ts';
import { fetchBody, inEachForm } from './fetch-body.ts';

/** Expects what stands in both forms alike to be read with some warnings. */
async function expectForgiven(kit: ClauseKit, changes: Body, read: Body, warnings: string[]): Promise<void> {
  for (const write of inEachForm(kit.plugin)) {
    expectFetched(await fetchBody(kit, write(changes)), { ...contractBooking, ...read }, warnings);
  }
}

/** The same for one session of the current form. */
async function expectSessionForgiven(kit: ClauseKit, changes: Body, read: Body, warnings: string[]) {
  const fetched = await fetchBody(kit, writeCurrent({ bookedSessions: [firstSession(changes)] }));
  expectFetched(fetched, { ...contractBooking, bookedSessions: [firstSession(read)] }, warnings);
}

const section = 'decisions, reading';

/** What is not to the letter of the contract and is read all the same, with a warning as data. */
export const readToleranceClauses: readonly Clause[] = [
  {
    id: 'tolerance/both-forms',
    section,
    title: 'an answer in both forms counts as the current one (both_forms)',
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
      expectForgiven(
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
    title: 'a number where a text must be becomes one (number_as_string)',
    appliesTo: readsContract,
    run: (kit) =>
      expectForgiven(
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
        await expectSessionForgiven(kit, { activityId: 12 }, { activityId: '12' }, [
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
    title: 'digits in a text where pax must be become a number (string_as_number)',
    appliesTo: readsContract,
    run: (kit) => expectForgiven(kit, { pax: '12' }, { pax: 12 }, ['string_as_number pax']),
  },
  {
    id: 'tolerance/date-time-offset',
    section,
    title: 'a date-time with an offset, with or without its colon, becomes UTC (date_time_rewritten)',
    appliesTo: readsContract,
    async run(kit) {
      const times = { startsAt: '2027-06-12T09:30:00+02:00', endsAt: '2027-06-12T13:00:00+0200' };
      if (readsCurrent(kit.plugin)) {
        await expectSessionForgiven(kit, times, {}, [
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
    title: 'guests without a name stay, are never given one, and are one warning (guest_without_name)',
    appliesTo: readsContract,
    run: (kit) =>
      expectForgiven(
        kit,
        { guests: [firstGuest({ name: undefined }), firstGuest({ name: '' })] },
        { guests: [firstGuest({ name: undefined }), firstGuest({ name: undefined })] },
        ['guest_without_name guests'],
      ),
  },
  {
    id: 'tolerance/session-incomplete',
    section,
    title: 'a session needs its start only; what else is missing is said (session_incomplete)',
    appliesTo: readsCurrent,
    async run(kit) {
      const missing = { endsAt: undefined, activityId: undefined, activityName: undefined };
      await expectSessionForgiven(kit, missing, missing, [
        'session_incomplete bookedSessions[0].endsAt',
        'session_incomplete bookedSessions[0].activityId',
        'session_incomplete bookedSessions[0].activityName',
      ]);
    },
  },
  {
    id: 'tolerance/contact-incomplete',
    section,
    title: 'a contact with an empty name is read, and said (contact_incomplete)',
    appliesTo: readsContract,
    run(kit) {
      const contact = changedContact({ name: '' });
      return expectForgiven(kit, { contact }, { contact }, ['contact_incomplete contact.name']);
    },
  },
  {
    id: 'tolerance/value-ignored',
    section,
    title: 'a value of another kind in an optional field is left out, not passed on (value_ignored)',
    appliesTo: readsContract,
    run: (kit) =>
      expectForgiven(
        kit,
        { notes: ['a'], guests: [firstGuest({ email: { work: 'zoe@example.com' } })] },
        { notes: undefined, guests: [firstGuest({ email: undefined })] },
        ['value_ignored notes', 'value_ignored guests[0].email'],
      ),
  },
  {
    id: 'tolerance/id-differs',
    section,
    title: 'a booking with another id than the one asked for is read, and said (id_differs)',
    appliesTo: readsContract,
    async run(kit) {
      for (const write of inEachForm(kit.plugin)) {
        kit.partner.willAnswer('GET', { body: write({ id: 'BK-9' }) });
        expectFetched(await kit.read(), { ...contractBooking, id: 'BK-9' }, ['id_differs id']);
      }
    },
  },
];
