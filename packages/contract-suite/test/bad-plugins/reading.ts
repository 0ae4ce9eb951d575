import { goodPlugin } from '../good-plugins.ts';
import { keyOf, withBody, withBooking, withFetched, withParts, withRequest } from './alterations.ts';
import type { BadPlugins } from './bad-plugin.ts';

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
