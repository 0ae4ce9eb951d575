import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { runPaced } from '../paced.ts';
import { steadyNow } from '../receivers/messages.ts';
import type { Receivers } from '../receivers/start-receivers.ts';
import { createSendingWorld, type SendingWorld } from '../subjects/sending-world.ts';

const updatesPerRun = 4_000;
const perSecond = 1_000;

/** Accepts and sends at once; timed from the first update until the last delivery is recorded. */
async function atOnce({ world, backlog }: SendingWorld, receivers: Receivers): Promise<Measured> {
  const count = world.waivers;
  const acceptedAt = new Map<string, number>();
  const { reached } = await receivers.expect(count, { record: true });
  const startedAt = steadyNow();
  await runPaced(count, perSecond, async (index) => {
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
      { name: 'share delivered when the last was accepted', value: meanwhile / count, unit: '' },
      { name: 'accepted to delivered p50', value: percentile(waits, 50), unit: 'ms' },
      { name: 'p99', value: percentile(waits, 99), unit: 'ms' },
    ],
  };
}

/** Accepts at the same rate while sending is held back; the backlog is sent afterwards, untimed. */
async function acceptAlone({ world, backlog }: SendingWorld): Promise<Measured> {
  await backlog.hold();
  const startedAt = steadyNow();
  await runPaced(world.waivers, perSecond, (index) => world.update(index));
  const seconds = (steadyNow() - startedAt) / 1000;
  await backlog.drain();
  return { value: world.waivers / seconds };
}

/** A thousand updates a second, accepted and sent at once, against only accepting them. */
export const acceptAndDeliverRow: Row = {
  name: 'accept-and-deliver',
  subject: 'accepted and delivered',
  base: 'only accepted',
  unit: '/s',
  async prepare(ground) {
    const receivers = await ground.receivers();
    const waivers = ground.size(updatesPerRun);
    const sending = await createSendingWorld(ground, { kind: 'guest-webhook', waivers, dispatchers: 1 });
    const sides = {
      subject: () => atOnce(sending, receivers),
      base: () => acceptAlone(sending),
    };
    await sides.subject();
    await sides.base();
    return sides;
  },
};
