import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { runInFlight } from '../in-flight.ts';
import { steadyNow } from '../receivers/messages.ts';
import type { Receivers } from '../receivers/start-receivers.ts';
import { createSendingWorld, type SendingWorld } from '../subjects/sending-world.ts';

const updatesPerRun = 2_000;
const clients = 16;

async function atOnce({ world, backlog }: SendingWorld, receivers: Receivers): Promise<Measured> {
  const count = world.waivers;
  const acceptedAt = new Map<string, number>();
  const { reached } = await receivers.expect(count, { record: true });
  const startedAt = steadyNow();
  await runInFlight(count, clients, async (index) => {
    await world.update(index);
    acceptedAt.set(world.idOf(index), steadyNow());
  });
  const allAcceptedAt = steadyNow();
  await reached;
  await backlog.untilRecorded();
  const seconds = (steadyNow() - startedAt) / 1000;
  const arrivals = await receivers.arrivals();
  const waits = arrivals.map(({ id, at }) => at - (acceptedAt.get(id) ?? at));
  const meanwhile = arrivals.filter(({ at }) => at <= allAcceptedAt).length;
  return {
    value: count / seconds,
    figures: [
      { name: 'accepted', value: (count * 1000) / (allAcceptedAt - startedAt), unit: '/s' },
      { name: 'share sent by then', value: meanwhile / count, unit: '' },
      { name: 'accepted to first byte p50', value: percentile(waits, 50), unit: 'ms' },
      { name: 'p99', value: percentile(waits, 99), unit: 'ms' },
    ],
  };
}

async function oneAfterTheOther({ world, backlog }: SendingWorld): Promise<Measured> {
  const startedAt = steadyNow();
  await backlog.fill();
  const filledAt = steadyNow();
  await backlog.drain();
  const endedAt = steadyNow();
  const rate = (from: number, to: number) => (world.waivers * 1000) / (to - from);
  return {
    value: rate(startedAt, endedAt),
    figures: [
      { name: 'accepted', value: rate(startedAt, filledAt), unit: '/s' },
      { name: 'sent', value: rate(filledAt, endedAt), unit: '/s' },
    ],
  };
}

/** Accepting and sending at once, as fast as both go, against first the one and then the other. */
export const acceptAndDeliverRow: Row = {
  name: 'accept-and-deliver',
  subject: 'at once',
  base: 'one after the other',
  unit: '/s',
  async prepare(ground) {
    const receivers = await ground.receivers();
    const waivers = ground.size(updatesPerRun);
    const sending = await createSendingWorld(ground, { kind: 'guest-webhook', waivers, dispatchers: 1 });
    const sides = {
      subject: () => atOnce(sending, receivers),
      base: () => oneAfterTheOther(sending),
    };
    await sides.subject();
    await sides.base();
    return sides;
  },
};
