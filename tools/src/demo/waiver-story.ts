import type { ReceivedRequest } from '@waiver-service/simulator';
import { z } from 'zod';
import { showArrival, showHeading, showStep } from './screen.ts';
import { bookingId, type Cast, pool } from './story.ts';
import type { WaiverServiceClient } from './waiver-service-client.ts';

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
export async function signWaiver(cast: Cast, app: WaiverServiceClient): Promise<Record> {
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
export async function changeWaiverDuringOutage(
  cast: Cast,
  app: WaiverServiceClient,
  { id }: Record,
): Promise<void> {
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
export async function voidWaiver(cast: Cast, app: WaiverServiceClient, { id }: Record): Promise<void> {
  showHeading('Void');
  const { body, milliseconds } = await app.call(
    'POST',
    `${waivers}/${encodeURIComponent(id)}/void`,
    recordSchema,
  );
  showStep('Zoë’s waiver was voided', milliseconds);
  await showDeliveries(cast, body);
}
