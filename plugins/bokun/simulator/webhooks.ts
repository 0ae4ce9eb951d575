import { createHmac } from 'node:crypto';
import type { BokunBooking } from './bokun-booking.ts';

/** The topic of an app's webhook. */
export type BokunTopic = 'bookings/create' | 'bookings/update' | 'bookings/cancel' | 'apps/uninstall';

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64');

/** Signs a webhook's headers, all of which begin with `x-bokun-`, with the app's secret. */
export function signedHeaders(
  headers: Readonly<Record<string, string>>,
  appSecret: string,
): Readonly<Record<string, string>> {
  const signed = Object.entries(headers)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return { ...headers, 'x-bokun-hmac': createHmac('sha256', appSecret).update(signed).digest('hex') };
}

/** Sends an app's webhook. Returns the status of the response. */
export async function sendWebhook(
  webhookUrl: string,
  { bookingId }: BokunBooking,
  { topic, appSecret }: { readonly topic: BokunTopic; readonly appSecret: string },
): Promise<number> {
  const isAboutBooking = topic.startsWith('bookings/');
  const headers = {
    'x-bokun-apikey': 'app-key',
    'x-bokun-topic': topic,
    'x-bokun-vendor-id': globalId('Vendor', 4),
    ...(isAboutBooking && { 'x-bokun-booking-id': globalId('Booking', bookingId) }),
  };
  const body = { timestamp: '2027-06-01T11:06:32.419', ...(isAboutBooking && { bookingId }) };
  const response = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders(headers, appSecret) },
    body: JSON.stringify(body),
  });
  return response.status;
}

/** Sends the notification of a booking channel: the booking itself, with an empty topic. Returns the status of the response. */
export async function sendNotification(webhookUrl: string, booking: BokunBooking): Promise<number> {
  const response = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-bokun-topic': '', 'x-bokun-booking-id': '' },
    body: JSON.stringify(booking),
  });
  return response.status;
}
