import { installRequestSchema, installResponseSchema, uninstallResponseSchema } from '@waiver-service/core';
import { z } from 'zod';
import { bookingSystemPathSchema } from './paths.ts';
import { route } from './route.ts';

export const authorizationQuerySchema = z.looseObject({
  state: z.string().max(512).optional().describe('The `state` from the URL of the authorization page.'),
  code: z.string().max(4096).optional().describe('Authorization code that the booking system issued.'),
  error: z.string().max(512).optional().describe('Why the booking system issued no code.'),
  error_description: z.string().max(4096).optional(),
});

export const endAuthorization = route.get('/integration/authorize/:booking_system', {
  // A HEAD request would end the visit.
  exposeHeadRoute: false,
  config: {
    access: 'public',
    problems: {
      400: 'The link is no longer valid, or the authorization was refused.',
      429: 'Too many visits with a wrong link from this address.',
      502: 'The booking system issued a code, but no token for it.',
      503: 'The booking system authorized the service, but that could not be stored.',
    },
  },
  operationId: 'endAuthorization',
  tags: ['Booking systems'],
  summary: 'Return from a booking system’s authorization page',
  description:
    'For browsers: returns a page of text. The `state` is valid once, for 15 minutes, for one installation, and in the browser that began the authorization.',
  params: bookingSystemPathSchema,
  querystring: authorizationQuerySchema,
  response: { 200: z.string() },
});

export const inboundJsonType = 'application/json';

export const inboundXmlTypes = ['application/xml', 'text/xml'];

export const inboundFormType = 'application/x-www-form-urlencoded';

/** The media types of inbound calls. */
const inboundTypes = [inboundJsonType, ...inboundXmlTypes, inboundFormType];

// Vendors send whole bookings, some with a hundred guests, and often disable their calls after one is rejected.
const maxInboundBodyBytes = 1024 * 1024;

export const inboundCall = route.post('/integration/webhook/:booking_system', {
  config: {
    access: 'booking-system',
    problems: {
      429: 'Too many calls with a wrong key from this address, or too many bookings waiting to be read (`too_many_bookings`). See Retry-After.',
    },
  },
  bodyLimit: maxInboundBodyBytes,
  operationId: 'inboundCall',
  tags: ['Booking systems'],
  summary: 'Announce a new or changed booking',
  description:
    'The caller sends the app pool key that install returned, in the header `api-key` or as `key` in the body or the query. The booking is then read again in the background. A plugin may instead accept its vendor’s own body as JSON, XML or a form, verify the vendor’s signature (the key then cannot be in the body), serve all accounts at one address (without a key), and respond as the vendor expects. `bookings` is empty if the call names no booking or the installation is pending.',
  consumes: inboundTypes,
  params: bookingSystemPathSchema,
  querystring: z.looseObject({ key: z.string().max(512).optional().describe('The app pool key.') }),
  body: z.unknown().meta({ description: 'The contract’s `{id, pool}`, or the vendor’s own body.' }),
  response: {
    200: z.object({
      success: z.literal(true),
      bookings: z.array(
        z.object({
          id: z.string(),
          web: z
            .object({ preArrival: z.url() })
            .optional()
            .describe(
              'The link with which the booking’s guests sign. Present if the pool has a published form.',
            ),
        }),
      ),
    }),
    '2xx': z.unknown().describe('The response that the booking system expects, if its plugin gives one.'),
  },
});

/** The maximum size in bytes of the body of install and uninstall calls. */
export const maxIntegrationBodyBytes = 64 * 1024;

export const install = route.post('/integration/install/:booking_system', {
  config: { access: 'booking-system' },
  bodyLimit: maxIntegrationBodyBytes,
  operationId: 'install',
  tags: ['Booking systems'],
  summary: 'Install the integration for a pool',
  description:
    'Stores the account and issues a new app pool key, which is not shown again (contract 4.4). Installing again with the same accountId replaces the key; the previous key stays valid for a while. If the pool already has another booking system, an operator may have to approve this one: the response is the same, but nothing is read or sent until then.',
  params: bookingSystemPathSchema,
  body: installRequestSchema,
  response: { 200: installResponseSchema },
});

export const uninstall = route.post('/integration/uninstall/:booking_system', {
  config: { access: 'booking-system' },
  bodyLimit: maxIntegrationBodyBytes,
  operationId: 'uninstall',
  tags: ['Booking systems'],
  summary: 'Remove the integration from a pool',
  description:
    'Revokes the app pool keys and erases the account; the waivers stay (contract 4.5). Also returns 200 if the integration is not installed.',
  params: bookingSystemPathSchema,
  body: installRequestSchema,
  response: { 200: uninstallResponseSchema },
});
