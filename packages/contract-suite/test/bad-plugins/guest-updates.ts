import {
  type BookingSystemErrorDetails,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  WaiverRejected,
} from '@waiver-service/core';
import {
  type BadPlugins,
  keyOf,
  type PluginRequest,
  withParts,
  withPush,
  withPushError,
  withRequest,
} from './alterations.ts';
import { badStatuses, mistaking } from './failed-answers.ts';

/** Changes each request of a write. */
const withWrite = (change: (original: PluginRequest) => Partial<PluginRequest>) =>
  withRequest((original) => (original.method === 'post' ? change(original) : {}));

/** Changes the query of each request of a write. */
const withQuery = (change: (query: URLSearchParams, original: PluginRequest) => void) =>
  withWrite((original) => {
    const [path, query] = original.url.split('?');
    const changed = new URLSearchParams(query);
    change(changed, original);
    return { url: `${path}?${changed}` };
  });

/** Changes the waiver in the body. */
const withWaiver = (change: (waiver: Record<string, unknown>) => object) =>
  withWrite(({ body }) => {
    const { waiver } = JSON.parse(String(body));
    return { body: JSON.stringify({ waiver: { ...waiver, ...change(waiver) } }) };
  });

const isVoid = (body: unknown) => String(body).includes('"deleted":true');
const usualFields = 'id,pool,bookingId,bookingGuestId,lastVisit,deleted,updatedAt';

export const badGuestUpdateRequests: BadPlugins = {
  'guest-update/address': {
    plugin: withWrite(({ url, body }) => (isVoid(body) ? {} : { url: url.replace(/G-1(?=\?)/, 'g-1') })),
  },
  'guest-update/address-without-guest-id': {
    plugin: withWrite(({ url }) => ({ url: url.replace(/[^/]*waiver-1(?=\?)/, '') })),
  },
  'guest-update/id-encoding': { plugin: withWrite(({ url }) => ({ url: url.replaceAll('%20', '+') })) },
  'guest-update/dot-segments': {
    plugin: withPush(async (context, { bookingId }, good) => {
      if (bookingId === '.') await context.http.post('bookings/%2E/guests/', {});
      return good();
    }),
  },
  'guest-update/query': {
    plugin: withQuery((query) => query.delete('bookingGuestId', 'G-1')),
  },
  'guest-update/query-without-guest-id': {
    plugin: withQuery((query) => {
      if (!query.has('bookingGuestId')) query.set('bookingGuestId', '');
    }),
  },
  'guest-update/auth-header': {
    plugin: withParts({
      headers: ({ account, purpose }): Record<string, string> =>
        purpose === 'read' ? { 'api-key': account.apiKey } : { 'API-key': `Bearer ${account.apiKey}` },
    }),
  },
  'guest-update/no-secret-in-url': {
    plugin: withQuery((query, { context }) => query.set('key', keyOf(context))),
  },
  'guest-update/content-type': {
    plugin: withWrite(({ request }) => ({
      request: { ...request, headers: { 'Content-Type': 'text/plain' } },
    })),
  },
  'guest-update/body': {
    plugin: withWrite(({ body }) => {
      const { waiver } = JSON.parse(String(body));
      const isUsual = Object.keys(waiver).join() === usualFields && !waiver.deleted;
      return isUsual ? { body: JSON.stringify({ waiver }, undefined, 1) } : {};
    }),
  },
  'guest-update/body-with-shared-answers': { plugin: withWaiver(() => ({ dateOfBirth: undefined })) },
  'guest-update/body-without-guest-id': {
    plugin: withWaiver(({ bookingGuestId = null }) => ({ bookingGuestId })),
  },
  'guest-update/void': {
    plugin: withPush(async (_context, { deleted }, good) =>
      deleted ? { accepted: true, warnings: [] } : good(),
    ),
  },
};

/** A copy of the error with other details. */
const retold = (error: Error & Record<string, unknown>, details: BookingSystemErrorDetails) => {
  const { message, code } = error;
  if (code === 'booking_system_timeout') return new BookingSystemTimeout(message, details);
  if (code === 'invalid_booking_response') return new InvalidBookingResponse(message, [], details);
  return new BookingSystemUnavailable(message, details);
};

export const badGuestUpdateAnswers: BadPlugins = {
  'guest-update/success': { plugin: mistaking('post', 204, 500) },
  'guest-update/success-false': {
    plugin: withPushError(({ outboundErrorCode, message }) =>
      outboundErrorCode === 'not_accepted'
        ? new WaiverRejected(message, { retry: 'never', outboundErrorCode })
        : undefined,
    ),
  },
  'guest-update/refused-body': { plugin: mistaking('post', 413, 500) },
  'guest-update/gone': { plugin: mistaking('post', 410, 400) },
  'guest-update/other-refusals': { plugin: mistaking('post', 404, 410) },
  ...badStatuses('guest-update', 'post'),
  'guest-update/timeout': {
    plugin: withPushError((error) =>
      error.code === 'booking_system_timeout' ? retold(error, { inDoubt: true }) : undefined,
    ),
  },
  'guest-update/timeout-in-doubt': {
    plugin: withPushError((error) =>
      error.code === 'booking_system_timeout' ? retold(error, { outboundErrorCode: 'timeout' }) : undefined,
    ),
  },
  'guest-update/reset': {
    plugin: withPushError((error) =>
      error.outboundErrorCode === 'connection_reset'
        ? retold(error, { outboundErrorCode: 'connection_reset' })
        : undefined,
    ),
  },
  'guest-update/redirect': {
    plugin: withPushError((error) =>
      error.outboundErrorCode === 'redirect' ? retold(error, {}) : undefined,
    ),
  },
  'guest-update/too-large': {
    plugin: withPushError((error) =>
      error.outboundErrorCode === 'response_too_large'
        ? retold(error, { outboundErrorCode: 'response_too_large' })
        : undefined,
    ),
  },
  'secrets/guest-update-errors': {
    plugin: withPushError((error, context) => Object.assign(error, { config: { key: keyOf(context) } })),
  },
};
