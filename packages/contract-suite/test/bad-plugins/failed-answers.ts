import { BookingNotFound, BookingSystemTimeout, BookingSystemUnavailable } from '@waiver-service/core';
import { percentEncode, raiseForStatus, readBooking } from '@waiver-service/plugin-kit';
import { goodPlugin } from '../good-plugins.ts';
import { type BadPlugins, keyOf, withAnswer, withParts, withReadError } from './alterations.ts';

type Method = Parameters<typeof withAnswer>[0];

/** Treats one status as another. */
export const mistaking = (method: Method, from: number, to: number) =>
  withAnswer(method, ({ status }) => (status === from ? { status: to } : {}));

/** Changes the Retry-After of a 429. */
const retryAfterChanged = (method: Method, change: (retryAfter: unknown) => unknown) =>
  withAnswer(method, ({ status, headers }) =>
    status === 429 ? { headers: { ...headers, 'retry-after': change(headers['retry-after']) } } : {},
  );

const isSeconds = (value: unknown) => /^\d+$/.test(String(value));

/** Plugins that misread the statuses of a read, or of a write. */
export const badStatuses = (theme: string, method: Method): BadPlugins => ({
  [`${theme}/401`]: { plugin: mistaking(method, 401, 500) },
  [`${theme}/403`]: { plugin: mistaking(method, 403, 500) },
  [`${theme}/429-seconds`]: {
    plugin: retryAfterChanged(method, (value) => (isSeconds(value) ? undefined : value)),
  },
  [`${theme}/429-date`]: {
    plugin: retryAfterChanged(method, (value) => (isSeconds(value) ? value : undefined)),
  },
  [`${theme}/429-without-time`]: { plugin: retryAfterChanged(method, (value) => value ?? '60') },
  [`${theme}/500`]: { plugin: mistaking(method, 502, 404) },
});

/** Treats some responses with status 200 as a 404. */
const takingForNotFound = (isTaken: (data: unknown) => boolean) =>
  withAnswer('get', ({ status, data }) => (status === 200 && isTaken(data) ? { status: 404 } : {}));

export const badReadErrors: BadPlugins = {
  'error/not-found': {
    plugin: withReadError(({ code, message }) =>
      code === 'booking_not_found' && !message.includes('base address')
        ? new BookingNotFound('no such booking', { upstreamStatus: 404 })
        : undefined,
    ),
  },
  'error/not-found-page': {
    plugin: withAnswer('get', ({ status }) =>
      status === 404 ? { data: { success: false, message: 'not found' } } : {},
    ),
  },
  ...badStatuses('error', 'get'),
  'error/timeout': {
    plugin: withReadError(({ code, message }, { signal }) =>
      code === 'booking_system_timeout' && !signal.aborted
        ? new BookingSystemUnavailable(message)
        : undefined,
    ),
  },
  'error/given-up': {
    plugin: withReadError(({ message }, { signal }) =>
      signal.aborted ? new BookingSystemUnavailable(message) : undefined,
    ),
  },
  'error/reset': {
    plugin: withReadError(({ outboundErrorCode, message }) =>
      outboundErrorCode === 'connection_reset' ? new BookingSystemTimeout(message) : undefined,
    ),
  },
  'error/redirect': {
    plugin: withReadError(({ outboundErrorCode, message }) =>
      outboundErrorCode === 'redirect' ? new BookingNotFound(message) : undefined,
    ),
  },
  'error/html': { plugin: takingForNotFound((data) => String(data).startsWith('<')) },
  'error/empty': { plugin: takingForNotFound((data) => data === '') },
  'error/half-json': { plugin: takingForNotFound((data) => String(data).startsWith('{')) },
  'error/too-large': {
    plugin: withReadError(({ outboundErrorCode, message }) =>
      outboundErrorCode === 'response_too_large' ? new BookingSystemUnavailable(message) : undefined,
    ),
  },
  'secrets/read-errors': {
    plugin: withReadError((error, context) =>
      Object.defineProperty(error, 'request', {
        value: { headers: { 'api-key': keyOf(context) } },
        enumerable: false,
      }),
    ),
  },
  'secrets/booking': {
    plugin: withParts({
      // As the good plugin reads, but without defineBookingSystem, which redacts.
      async fetchBooking({ http, pool }, bookingId) {
        const response = await http.get(`bookings/${percentEncode(bookingId)}`, { params: { pool } });
        raiseForStatus(response, { bookingSystem: 'Bad', purpose: 'read', bookingId });
        return readBooking(response.data);
      },
    }),
  },
  'secrets/read-warnings': {
    plugin: withParts({
      async fetchBooking(context, bookingId) {
        const fetched = await goodPlugin.fetchBooking(context, bookingId);
        return { ...fetched, warnings: [{ code: 'value_ignored', message: keyOf(context) }] };
      },
    }),
  },
};
