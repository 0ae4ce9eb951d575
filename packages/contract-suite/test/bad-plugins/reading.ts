import { InvalidBookingResponse } from '@waiver-service/core';
import { goodPlugin } from '../good-plugins.ts';
import {
  type BadPlugins,
  keyOf,
  withAnswer,
  withBody,
  withBooking,
  withFetched,
  withoutWarning,
  withParts,
  withReadError,
  withRequest,
} from './alterations.ts';

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

export const badRequests: BadPlugins = {
  'read/address': {
    plugin: withRequest(({ method, request }) =>
      method === 'get' ? { request: { ...request, params: { ...request.params, id: 'again' } } } : {},
    ),
  },
  'read/id-encoding': {
    plugin: withRequest(({ method, url }) => (method === 'get' ? { url: url.replaceAll('%20', '+') } : {})),
  },
  'read/dot-segments': {
    plugin: withParts({
      async fetchBooking(context, bookingId) {
        if (bookingId === '..') await context.http.get('bookings/%2E%2E');
        return goodPlugin.fetchBooking(context, bookingId);
      },
    }),
  },
  'read/pool': {
    plugin: withRequest(({ method, request }) =>
      method === 'get' ? { request: { ...request, params: { ...request.params, pool: undefined } } } : {},
    ),
  },
  'read/auth-header': {
    plugin: withParts({
      headers: ({ account, purpose }) => ({
        [purpose === 'read' ? 'api-key' : 'API-key']:
          purpose === 'read' ? `Bearer ${account.apiKey}` : account.apiKey,
      }),
    }),
  },
  'read/no-secret-in-url': {
    plugin: withRequest(({ method, request, context }) =>
      method === 'get' ? { request: { ...request, params: { ...request.params, key: keyOf(context) } } } : {},
    ),
  },
};

export const badForms: BadPlugins = {
  'read/current-form': { plugin: withFetched(() => ({ form: 'legacy' })) },
  'read/legacy-form': { plugin: withFetched(() => ({ form: 'current' })) },
  'read/equal-forms': {
    plugin: withBooking((_booking, form) => (form === 'legacy' ? { channel: undefined } : {})),
  },
  'read/several-sessions': {
    plugin: withBooking(({ bookedSessions }) => ({
      bookedSessions: [...new Map(bookedSessions.map((one) => [JSON.stringify(one), one])).values()],
    })),
  },
  'read/legacy-without-activities': {
    plugin: withBooking(({ bookedSessions }, form) => ({
      bookedSessions: bookedSessions.map((one) =>
        form === 'legacy' ? { activityId: 'unknown', ...one } : one,
      ),
    })),
  },
  'read/legacy-guest-id-only': {
    plugin: withBooking(({ guests }) => ({
      guests: guests.filter((guest) => Object.keys(guest).join() !== 'id'),
    })),
  },
  'read/guest-id': {
    plugin: withBody(({ guests }) =>
      Array.isArray(guests)
        ? {
            guests: listOf(guests).map((guest) => ({
              ...guest,
              id: guest.guestId ?? guest.id,
              guestId: undefined,
            })),
          }
        : {},
    ),
  },
  'read/no-guests': {
    plugin: withBooking(({ guests, contact }) => ({ guests: guests.length === 0 ? [contact] : guests })),
  },
  'read/notes-absent': { plugin: withBody((body) => ('notes' in body ? {} : { notes: '' })) },
  'read/unknown-fields': { plugin: withBooking(() => ({ shoeSize: undefined })) },
  'read/status-as-it-is': { plugin: withBooking(({ status }) => ({ status: status.trim() })) },
  'read/status-group': {
    plugin: withBooking(({ status }) => (status === 'Gone' ? { statusGroup: 'other' } : {})),
  },
};

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
