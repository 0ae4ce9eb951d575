import type { SimulatedBookingSystem, SimulatedWebhookReceiver } from '@waiver-service/simulator';
import { z } from 'zod';
import { timeZone } from './saturday.ts';
import { showDetail, showHeading, showStep } from './screen.ts';
import { anything, WaiverServiceClient } from './waiver-service-client.ts';

/** The participants in the demo. */
export interface Cast {
  readonly url: string;
  readonly operator: WaiverServiceClient;
  readonly bookingSystem: SimulatedBookingSystem;
  readonly receiver: SimulatedWebhookReceiver;
  readonly webhookSecret: string;
}

/** The demo's pool and booking. */
export const pool = 'demo-rafting';
export const bookingId = 'BK-1001';
const installName = 'standard';

const keySchema = z.looseObject({ key: z.string() });
const tokenSchema = z.looseObject({ token: z.string() });
const webhooksSchema = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });
const bookingSchema = z.looseObject({
  guests: z.array(
    z.looseObject({ bookingGuestId: z.string().optional(), prefill: z.looseObject({ name: z.string() }) }),
  ),
});

/** The operator makes a pool, and the booking system installs itself for it (contract 4.4). */
export async function install({ url, operator, bookingSystem }: Cast): Promise<void> {
  showHeading('Install');
  await operator.call('PUT', `/v1/admin/booking-systems/${installName}`, anything, {
    baseUrl: bookingSystem.url,
    // An earlier run of the demo had another port.
    sendCredentialsTo: bookingSystem.url,
  });
  await operator.call('PUT', `/v1/admin/pools/${pool}`, anything, {
    name: 'Demo Rafting',
    timeZone,
    prefillProperties: ['notes'],
  });
  const { body } = await operator.call(
    'POST',
    `/v1/admin/booking-systems/${installName}/install-keys`,
    keySchema,
  );
  showStep(`The operator has a pool, ${pool}, and a global install key for the booking system`);
  const startedAt = performance.now();
  const call = { baseUrl: url, installName, key: body.key, pool, accountId: 4711 };
  const { webhookUrl } = await bookingSystem.install(call);
  showStep('The booking system installed itself for the pool', performance.now() - startedAt);
  showDetail(
    `→ POST /integration/install/${installName}  {"key":"‹secret›","pool":"${pool}","accountId":4711,"apiKey":"‹secret›"}`,
    `← 200 {"success":true,"webhookUrl":"${webhookUrl}","apiKey":"‹app pool key›", …}`,
  );
}

/** Sets a receiver's webhook, once for all runs of the demo. */
export async function setWebhook({ operator, receiver, webhookSecret }: Cast): Promise<void> {
  const webhooks = `/v1/admin/pools/${pool}/webhooks`;
  const webhook = {
    url: receiver.url,
    auth: { type: 'header', name: 'X-Demo-Secret', value: webhookSecret },
    properties: ['name', 'email'],
  };
  const { body } = await operator.call('GET', webhooks, webhooksSchema);
  const former = body.items[0];
  if (former) await operator.call('PATCH', `${webhooks}/${former.id}`, anything, webhook);
  else await operator.call('POST', webhooks, anything, webhook);
  showStep('The operator set a webhook, with a custom header and two of the guest’s answers');
}

/** The waiver app reads the booking (contract 4.1) to pre-fill waivers. */
export async function readBooking({ url, operator }: Cast): Promise<WaiverServiceClient> {
  showHeading('Read');
  const { body } = await operator.call('POST', `/v1/admin/pools/${pool}/access-tokens`, tokenSchema);
  const app = new WaiverServiceClient(url, body.token);
  const { milliseconds } = await app.showCall(
    'GET',
    `/v1/pools/${pool}/bookings/${bookingId}`,
    bookingSchema,
  );
  showStep('The waiver app read the booking through the service and has its guests pre-filled', milliseconds);
  return app;
}
