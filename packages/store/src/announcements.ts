import { createMovedPools, type MovedPools } from './cells/moved-pools.ts';
import { type ChangeWatcher, createChangeWatcher } from './changes/change-watcher.ts';
import { createPoolSetups, type PoolSetups } from './configurations/pool-setups.ts';
import { createEventChannel, createLiveEvents, type EventChannel, type LiveEvents } from './events/index.ts';
import type { OpenedDatabase } from './open-database.ts';
import {
  changeChannelName,
  createWakeChannel,
  setupChannelName,
  type WakeChannel,
  type Withdrawal,
} from './outbox/index.ts';

type Change<Arguments extends unknown[], Result> = (...given: Arguments) => Promise<Result>;
/** Wraps a change, so that it is announced when it has ended, before its promise resolves. */
type Announced = <Arguments extends unknown[], Result>(
  change: Change<Arguments, Result>,
) => Change<Arguments, Result>;

/** Tells what was committed: this process at once, other hosts within moments. */
export interface Announcements {
  readonly wakeChannel: WakeChannel;
  readonly eventChannel: EventChannel;
  readonly liveEvents: LiveEvents;
  readonly watcher: ChangeWatcher;
  readonly setups: PoolSetups;
  readonly movedPools: MovedPools;
  onEnqueued(): void;
  /** @param ids - of waivers */
  onChanged(ids: readonly string[]): void;
  onWithdrawn(withdrawal: Withdrawal): void;
  /** For a change of the data behind pool setups: this process uses it before the caller's promise resolves. */
  readonly thenInvalidateSetups: Announced;
  /** For a change of something that is shown in many places: anything may be different. */
  readonly thenAnnounce: Announced;
  readonly thenRevokeAccess: Announced;
  close(): Promise<void>;
}

const whenDone =
  (announce: () => void): Announced =>
  (change) =>
  (...given) =>
    change(...given).finally(announce);

/** Opens the channels of a database. */
export function openAnnouncements({ context, renewal }: OpenedDatabase): Announcements {
  const { database, databaseUrl } = context;
  const wakeChannel = createWakeChannel(database, databaseUrl, renewal);
  const setupChannel = createWakeChannel(database, databaseUrl, renewal, setupChannelName);
  const changeChannel = createWakeChannel(database, databaseUrl, renewal, changeChannelName);
  const eventChannel = createEventChannel(database, databaseUrl, renewal);
  const liveEvents = createLiveEvents(database, eventChannel);
  const watcher = createChangeWatcher(database, (onChange) => changeChannel.listen({ onWake: onChange }));
  const setups = createPoolSetups(database, setupChannel);
  const movedPools = createMovedPools(database, setupChannel);
  return {
    wakeChannel,
    eventChannel,
    liveEvents,
    watcher,
    setups,
    movedPools,
    onEnqueued: () => wakeChannel.wake(),
    onChanged(ids) {
      changeChannel.wake();
      eventChannel.changed('waiver', ids);
    },
    onWithdrawn: (withdrawal) => wakeChannel.withdraw(withdrawal),
    thenInvalidateSetups: whenDone(() => setups.changed()),
    thenAnnounce: whenDone(() => eventChannel.requestResync()),
    thenRevokeAccess: whenDone(() => eventChannel.accessEnded()),
    async close() {
      await Promise.all([
        wakeChannel.close(),
        watcher.close().then(() => changeChannel.close()),
        Promise.all([setups.close(), movedPools.close()]).then(() => setupChannel.close()),
        liveEvents.close().then(() => eventChannel.close()),
      ]);
    },
  };
}
