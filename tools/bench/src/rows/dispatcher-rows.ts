import type { Row } from '../harness/row.ts';
import { createSendingWorld } from '../subjects/sending-world.ts';

const messagesPerRun = 10_000;

function dispatcherRow(name: string, dispatchers: number): Row {
  return {
    name,
    subject: `${dispatchers} dispatchers`,
    base: 'one dispatcher',
    unit: '/s',
    async prepare(ground) {
      const waivers = ground.size(messagesPerRun);
      const several = await createSendingWorld(ground, { kind: 'guest-webhook', waivers, dispatchers });
      const one = await createSendingWorld(ground, { kind: 'guest-webhook', waivers, dispatchers: 1 });
      await several.drain();
      await one.drain();
      return { subject: () => several.drain(), base: () => one.drain() };
    },
  };
}

/** Sending a backlog with several processes on one database, against one. */
export const dispatcherRows: readonly Row[] = [
  dispatcherRow('two-dispatchers', 2),
  dispatcherRow('three-dispatchers', 3),
];
