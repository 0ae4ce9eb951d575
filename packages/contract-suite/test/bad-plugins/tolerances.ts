import { InvalidBookingResponse } from '@waiver-service/core';
import { withAnswer, withBody, withoutWarning, withReadError } from './alterations.ts';
import type { BadPlugins } from './bad-plugin.ts';

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Record<string, unknown> => ({ ...Object(value) });

export const badTolerances: BadPlugins = {
  'tolerance/both-forms': { plugin: withoutWarning('both_forms') },
  'tolerance/null': { plugin: withoutWarning('null_as_absent') },
  'tolerance/number-as-string': { plugin: withoutWarning('number_as_string', /id$|phone/) },
  'tolerance/number-as-activity-id': { plugin: withoutWarning('number_as_string', /activityId/) },
  'tolerance/string-as-number': { plugin: withoutWarning('string_as_number') },
  'tolerance/date-time-offset': { plugin: withoutWarning('date_time_rewritten') },
  'tolerance/guest-without-name': { plugin: withoutWarning('guest_without_name') },
  'tolerance/nobody-expected': { plugin: withoutWarning('nobody_expected') },
  'tolerance/unknown-status': { plugin: withoutWarning('unknown_status') },
  'tolerance/session-incomplete': { plugin: withoutWarning('session_incomplete') },
  'tolerance/contact-incomplete': { plugin: withoutWarning('contact_incomplete') },
  'tolerance/value-ignored': { plugin: withoutWarning('value_ignored') },
  'tolerance/id-differs': { plugin: withoutWarning('id_differs') },
};

/** Fills a missing field with a value. */
const inventing = (field: string, value: unknown) =>
  withBody((body) => {
    const isBooking = typeof body.pax === 'number' || field === 'pax';
    return isBooking && (body[field] === undefined || body[field] === null) ? { [field]: value } : {};
  });

/** Changes the start of each session, or of the booking in the legacy form. */
const startsChanged = (change: (startsAt: unknown) => unknown) =>
  withBody(({ startsAt, bookedSessions }) =>
    Array.isArray(bookedSessions)
      ? { bookedSessions: listOf(bookedSessions).map((one) => ({ ...one, startsAt: change(one.startsAt) })) }
      : { startsAt: change(startsAt) },
  );

export const badRefusals: BadPlugins = {
  'refusal/neither-form': {
    plugin: withReadError(({ message }) =>
      message.includes('neither') ? new InvalidBookingResponse('not a booking') : undefined,
    ),
  },
  'refusal/missing-id': { plugin: inventing('id', 'unknown') },
  'refusal/missing-status': { plugin: inventing('status', 'unknown') },
  'refusal/missing-contact': { plugin: inventing('contact', { name: 'unknown' }) },
  'refusal/missing-pax': { plugin: inventing('pax', 0) },
  'refusal/missing-guests': { plugin: inventing('guests', []) },
  'refusal/missing-contact-name': {
    plugin: withBody(({ contact }) =>
      typeof contact === 'object' && contact !== null && !Array.isArray(contact)
        ? { contact: { name: 'unknown', ...objectOf(contact) } }
        : {},
    ),
  },
  'refusal/wrong-kinds': {
    plugin: withBody(({ pax }) => (typeof pax === 'number' ? { pax: Math.abs(Math.round(pax)) } : {})),
  },
  'refusal/no-session': {
    plugin: withBody(({ bookedSessions }) =>
      Array.isArray(bookedSessions) && bookedSessions.length === 0
        ? { bookedSessions: [{ startsAt: '2027-01-01T00:00:00Z' }] }
        : {},
    ),
  },
  'refusal/session-without-start': {
    plugin: withBody(({ bookedSessions }) =>
      Array.isArray(bookedSessions)
        ? { bookedSessions: listOf(bookedSessions).filter(({ startsAt }) => startsAt !== undefined) }
        : {},
    ),
  },
  'refusal/time-without-zone': {
    plugin: startsChanged((startsAt) =>
      typeof startsAt === 'string' && startsAt.length === 19 ? `${startsAt}Z` : startsAt,
    ),
  },
  'refusal/not-a-date-time': {
    plugin: startsChanged((startsAt) => (startsAt === 'tomorrow' ? '2027-01-01T00:00:00Z' : startsAt)),
  },
  'refusal/issues': {
    plugin: withReadError((error) =>
      error instanceof InvalidBookingResponse && error.issues.length > 1
        ? new InvalidBookingResponse('not a booking', error.issues.slice(0, 1))
        : undefined,
    ),
  },
  'refusal/not-an-object': {
    plugin: withAnswer('get', ({ status, data }) =>
      status === 200 && objectOf(data).success === false ? { status: 404 } : {},
    ),
  },
};
