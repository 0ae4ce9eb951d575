import type { OpenAPIV3_1 } from 'openapi-types';
import { componentReference } from './components.ts';

const answer = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});
const text = { type: 'string' } as const;
const query = (name: string, description: string, required = false) => ({
  name,
  in: 'query',
  required,
  description,
  schema: text,
});
const apiKeyHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

/**
 * The calls that this service makes: the two endpoints that a booking system implements (contract 4.1, 4.2) and the
 * guest webhook (contract 4.3).
 */
export const partnerEndpoints: Readonly<Record<string, OpenAPIV3_1.PathItemObject>> = {
  bookingDetails: {
    get: {
      operationId: 'bookingDetails',
      tags: ['Implemented by booking systems'],
      summary:
        'Booking Details: GET {booking_api}/bookings/{booking_id}, or {booking_api}/bookings?id={booking_id}',
      description:
        'Implemented by the booking system. The booking id is in the path or in the query, percent-encoded.',
      parameters: [
        query('id', 'The booking id, if it is not in the path.'),
        query('pool', 'Id of the pool that requests the booking.', true),
        apiKeyHeader('api-key', 'The API key of the account. The header may have another name.'),
      ],
      responses: {
        200: answer('The booking, in the current form or in the deprecated legacy one.', {
          anyOf: [componentReference('ContractBooking'), componentReference('LegacyBooking')],
        }),
        404: answer('Unknown booking.', componentReference('BookingNotFound')),
      },
    },
  },
  guestUpdate: {
    post: {
      operationId: 'guestUpdate',
      tags: ['Implemented by booking systems'],
      summary: 'Guest Update: POST {booking_api}/bookings/{booking_id}/guests/{url_encoded_id}',
      description:
        'Implemented by the booking system. Sent after a guest signs and after each later update, with the same waiver.id.',
      parameters: [
        query('bookingId', 'The booking id.', true),
        query('bookingGuestId', 'The guest’s id in the booking, if there is one.'),
        apiKeyHeader('API-key', 'The API key of the account.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: componentReference('GuestUpdate') } },
      },
      responses: {
        200: answer(
          'The response; `success` says whether the update was accepted.',
          componentReference('GuestUpdateAnswer'),
        ),
      },
    },
  },
  guestWebhook: {
    post: {
      operationId: 'guestWebhook',
      tags: ['Implemented by webhook receivers'],
      summary: 'Guest webhook: POST to the receiver’s address',
      description:
        'Implemented by the webhook receiver. Sent with `Cache-Control: no-cache` and, if configured, one custom header, Basic Auth, or a Standard Webhooks signature.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: componentReference('GuestWebhook') } },
      },
      responses: { '2XX': { description: 'Any 2xx status is a success.' } },
    },
  },
};
