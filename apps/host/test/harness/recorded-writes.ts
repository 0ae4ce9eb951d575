import { report, until } from '@waiver-service/testing';
import { expect } from 'vitest';
import { type AcceptedWrite, messagesOutOfOrder, missingMessages, type SigningLoad } from './keep-signing.ts';
import type { Program } from './program.ts';
import type { TimedMessage } from './timed-receiver.ts';

/** Those of `makeSendingPool`, as its receiver names them. */
export const destinations = ['system', 'webhook'];

interface Receiver {
  readonly messages: readonly TimedMessage[];
}

/** Waits until every message that a host knows of has been sent and recorded. */
export async function untilNothingWaits(host: Pick<Program, 'done'>): Promise<void> {
  const isIdle = async () => {
    const { items } = await host.done('GET', '/v1/admin/destinations');
    return items.every((item: { waiting: number }) => item.waiting === 0);
  };
  await until(isIdle, 'everything to be recorded', 60_000);
}

/** The deliveries that have ended without their message being sent. */
export async function undelivered(host: Pick<Program, 'done'>): Promise<unknown[]> {
  const pages = ['dead', 'held', 'cancelled'].map(
    async (state) => (await host.done('GET', `/v1/admin/deliveries?state=${state}`)).items,
  );
  return (await Promise.all(pages)).flat();
}

/** Waits until the last version of each waiver has arrived everywhere, and nothing waits. */
export async function untilRecorded(
  { host, receiver }: { readonly host: Program; readonly receiver: Receiver },
  last: ReadonlyMap<string, string>,
): Promise<void> {
  const missing = () => missingMessages(last, destinations, receiver.messages);
  await until(() => missing().length === 0, 'the last version of every waiver to arrive', 60_000);
  await untilNothingWaits(host);
}

/** Expects that each write that was not accepted was answered 503, and that no connection to a host broke. */
export function expectOnlyUnavailable({ refusals, broken }: SigningLoad): void {
  for (const answer of refusals) {
    expect(answer).toMatchObject({ status: 503, body: { success: false, code: 'database_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  expect(broken()).toBe(0);
}

/** The accepted writes of which the database knows neither the version nor a newer one. */
export async function lostWrites({
  host,
  token,
  load,
}: {
  readonly host: Program;
  readonly token: string;
  readonly load: SigningLoad;
}): Promise<AcceptedWrite[]> {
  const lost: AcceptedWrite[] = [];
  const newest = new Map<string, string | undefined>();
  for (const write of load.accepted) {
    if (!newest.has(write.id)) {
      const path = `/v1/pools/p/waivers/${write.id}`;
      const { status, body } = await host.call('GET', path, undefined, { token });
      newest.set(write.id, status === 200 ? body.updatedAt : undefined);
    }
    if ((newest.get(write.id) ?? '') < write.updatedAt) lost.push(write);
  }
  return lost;
}

/**
 * Expects that no accepted write was lost, none sent out of order or beside another of its waiver, and that others were
 * told to come again; reports the counts, and those that are given.
 */
export async function expectAllRecorded(
  {
    receiver,
    ...written
  }: {
    readonly host: Program;
    readonly token: string;
    readonly load: SigningLoad;
    readonly receiver: Receiver;
  },
  counts: Readonly<Record<string, number | string>> = {},
): Promise<void> {
  const { host, load } = written;
  const lost = await lostWrites(written);
  const outOfOrder = messagesOutOfOrder(receiver.messages);
  report({
    ...counts,
    'writes accepted': load.accepted.length,
    messages: receiver.messages.length,
    lost: lost.length,
    'out of order': outOfOrder.length,
    'answers 503': load.refusals.length,
  });
  expect(lost).toEqual([]);
  expect(outOfOrder).toEqual([]);
  expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
  expectOnlyUnavailable(load);
  expect(await undelivered(host)).toEqual([]);
}
