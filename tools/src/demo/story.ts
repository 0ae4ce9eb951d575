import { exampleForms } from '@waiver-service/forms/examples';
import type {
  ReceivedRequest,
  SimulatedBookingSystem,
  SimulatedWebhookReceiver,
} from '@waiver-service/simulator';
import { renderUnicodeCompact } from 'uqr';
import { z } from 'zod';
import { showArrival, showDetail, showHeading, showStep } from './screen.ts';
import { anything, WaiverServiceClient } from './waiver-service.ts';

/** The participants in the demo. */
interface Cast {
  readonly url: string;
  readonly operator: WaiverServiceClient;
  readonly bookingSystem: SimulatedBookingSystem;
  readonly receiver: SimulatedWebhookReceiver;
  readonly webhookSecret: string;
}

/** The demo's pool and booking. */
export const pool = 'demo-rafting';
export const bookingId = 'BK-1001';
/** The time zone of the pool. */
export const timeZone = 'Europe/Vienna';
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
async function install({ url, operator, bookingSystem }: Cast): Promise<void> {
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
async function setWebhook({ operator, receiver, webhookSecret }: Cast): Promise<void> {
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
async function readBooking({ url, operator }: Cast): Promise<WaiverServiceClient> {
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

const waivers = `/v1/pools/${pool}/waivers`;
const recordSchema = z.looseObject({ id: z.string(), updatedAt: z.string() });
type Record = z.infer<typeof recordSchema>;

/** Waits for the messages of one version of a waiver, on both sides, and shows them. */
async function showDeliveries({ bookingSystem, receiver }: Cast, record: Record): Promise<void> {
  const isOurs = ({ body, answer }: ReceivedRequest) =>
    answer?.status === 200 &&
    [record.id, record.updatedAt].every((text) => body.includes(JSON.stringify(text)));
  const [update, webhook] = await Promise.all([
    bookingSystem.untilReceived('guest-update', (requests) => requests.some(isOurs), 30_000),
    receiver.untilReceived('webhook', (requests) => requests.some(isOurs), 30_000),
  ]);
  for (const [name, requests] of [
    ['The Guest Update arrived at the booking system', update],
    ['The webhook arrived at its receiver', webhook],
  ] as const) {
    showStep(name);
    requests.filter(isOurs).forEach(showArrival);
  }
}

/** A guest signs, and the waiver is sent (contract 4.2, 4.3). */
async function signWaiver(cast: Cast, app: WaiverServiceClient): Promise<Record> {
  showHeading('Sign');
  const { body, milliseconds } = await app.showCall('POST', waivers, recordSchema, {
    bookingId,
    bookingGuestId: 'G-1',
    answers: { name: 'Zoë Bäcker', email: 'zoe@example.com', dateOfBirth: '1991-04-23' },
  });
  showStep('Zoë signed her waiver', milliseconds);
  await showDeliveries(cast, body);
  return body;
}

/** The booking system is down; the guest does not notice, and nothing is lost. */
async function changeWaiverDuringOutage(cast: Cast, app: WaiverServiceClient, { id }: Record): Promise<void> {
  showHeading('An outage');
  cast.bookingSystem.faults.next('guest-update', { kind: 'status', status: 503 });
  const path = `${waivers}/${encodeURIComponent(id)}`;
  const { body, milliseconds } = await app.call('PATCH', path, recordSchema, {
    answers: { feedback: 'Great guide!' },
  });
  showStep('The booking system answers 503, and Zoë’s update is accepted all the same', milliseconds);
  await showDeliveries(cast, body);
}

/** The waiver is voided, and the booking system removes it (contract 3). */
async function voidWaiver(cast: Cast, app: WaiverServiceClient, { id }: Record): Promise<void> {
  showHeading('Void');
  const { body, milliseconds } = await app.call(
    'POST',
    `${waivers}/${encodeURIComponent(id)}/void`,
    recordSchema,
  );
  showStep('Zoë’s waiver was voided', milliseconds);
  await showDeliveries(cast, body);
}

/** The main job: installed, read, signed, and sent, also after an outage. */
export async function tellStory(cast: Cast): Promise<void> {
  await install(cast);
  await setWebhook(cast);
  const app = await readBooking(cast);
  const record = await signWaiver(cast, app);
  await changeWaiverDuringOutage(cast, app, record);
  await voidWaiver(cast, app, record);
}

const formsSchema = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), published: z.int().nullable() })),
});
const formSchema = z.looseObject({ id: z.string() });
const linkSchema = z.looseObject({ url: z.url() });

/** Publishes a form, once for all runs of the demo. */
async function publishForm({ operator }: Pick<Cast, 'operator'>): Promise<void> {
  const forms = `/v1/admin/pools/${pool}/forms`;
  const { body } = await operator.call('GET', forms, formsSchema);
  if (body.items.some(({ published }) => published !== null)) return;
  const [example] = exampleForms;
  if (example === undefined) throw new Error('there is no example form');
  const { body: form } = await operator.call('POST', forms, formSchema, { name: example.name });
  await operator.call('PUT', `${forms}/${form.id}/draft`, anything, example.content);
  await operator.call('POST', `${forms}/${form.id}/publish`, anything);
}

/** Publishes a form and makes the booking's link for guests to sign. @returns the link */
export async function makeCheckInLink({ operator }: Pick<Cast, 'operator'>): Promise<string> {
  await publishForm({ operator });
  const links = `/v1/pools/${pool}/check-in-links`;
  const { body } = await operator.call('POST', links, linkSchema, { bookingId });
  return body.url;
}

/** Shows where a person can sign. */
export function showCheckInLink(url: string): void {
  showHeading('Sign yourself');
  showStep(`The guests of booking ${bookingId} sign here, and the console shows the Guest Update`);
  showDetail(url, ...renderUnicodeCompact(url).split('\n'));
}
