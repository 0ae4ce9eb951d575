import type { Session } from '@waiver-service/core';
import type { BookingSystemSessions, StoredSession } from '@waiver-service/store';
import { expect, test } from 'vitest';
import { createSessionKeepers } from '../src/plugins/session-keepers.ts';
import { AuthorizationNotStored } from '../src/plugins/session-renewals.ts';

const installation = {
  destination: 'd1',
  pool: 'p1',
  bookingSystem: 'tokens',
  displayName: 'Tokens',
  openedWith: 'former',
};

/** Sessions of one installation, kept in memory. */
function sessionsInMemory(): BookingSystemSessions {
  let stored: StoredSession | undefined;
  let version = 0;
  let renewing: string | undefined;
  const listeners = new Set<(destination: string | undefined) => void>();
  return {
    read: async () => ({ version, stored, lost: undefined }),
    begin: async ({ destination }) => {
      if (renewing !== undefined) return undefined;
      renewing = `renewal ${version}`;
      return { destination, id: renewing, followsInterrupted: false };
    },
    record: async ({ destination }, session) => {
      stored = session;
      version += 1;
      renewing = undefined;
      for (const listener of listeners) listener(destination);
      return true;
    },
    release: async () => {
      renewing = undefined;
    },
    lose: async () => true,
    onRecorded: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const wait = { signal: new AbortController().signal };
const start = (sessions: BookingSystemSessions) =>
  createSessionKeepers({ sessions, timeoutMs: 5_000, onEvent: () => {} });

test('what a person has authorized on one host replaces the token of the former one on all hosts', async () => {
  const sessions = sessionsInMemory();
  const [first, second] = [start(sessions), start(sessions)];
  const current = () =>
    second.keeperOf(installation, false).current(() => expect.unreachable('renewed'), wait);
  for (const accessToken of ['token of the former person', 'token of the next person']) {
    await first.openWith(installation, async () => ({ accessToken }));
    expect(await current()).toEqual({ accessToken });
  }
});

test('a token that is on its way for a former account or address is not given to the new one', async () => {
  const keepers = start(sessionsInMemory());
  const issued = Promise.withResolvers<Session>();
  const former = keepers.keeperOf(installation, false).current(() => issued.promise, wait);
  const next = keepers
    .keeperOf({ ...installation, openedWith: 'changed' }, false)
    .current(async () => ({ accessToken: 'token of the new one' }), wait);
  issued.resolve({ accessToken: 'token of the former one' });
  expect(await former).toEqual({ accessToken: 'token of the former one' });
  expect(await next).toEqual({ accessToken: 'token of the new one' });
});

test('an authorization that could not be stored is not said to be given; this process goes on with its token', async () => {
  const events: string[] = [];
  let missNotifications: (() => void) | undefined;
  const keepers = createSessionKeepers({
    sessions: {
      ...sessionsInMemory(),
      record: () => Promise.reject(new Error('the database is away')),
      onRecorded: (listener) => {
        missNotifications = () => listener(undefined);
        return () => {};
      },
    },
    timeoutMs: 5_000,
    onEvent: ({ type }) => events.push(type),
  });
  const session = { accessToken: 'token of the visit' };
  await expect(keepers.openWith(installation, async () => session)).rejects.toThrow(AuthorizationNotStored);
  expect(events).toEqual(['unrecorded']);
  missNotifications?.();
  const current = keepers.keeperOf(installation, false).current(() => expect.unreachable('renewed'), wait);
  expect(await current).toEqual(session);
});

test('where every token is refused, each host replaces one, and none because of the other’s', async () => {
  const sessions = sessionsInMemory();
  const hosts = [start(sessions), start(sessions)];
  let renewals = 0;
  const renew = async (): Promise<Session> => {
    renewals += 1;
    return { accessToken: `token ${renewals}` };
  };
  for (let round = 0; round < 5; round += 1) {
    for (const keepers of hosts) {
      const keeper = keepers.keeperOf(installation, false);
      await keeper.replace(renew, await keeper.current(renew, wait), wait);
    }
  }
  expect(renewals).toBe(1 + hosts.length);
});

test('a host that has just replaced a token uses the one by which another host has replaced that', async () => {
  const sessions = sessionsInMemory();
  const [first, second] = [start(sessions), start(sessions)].map((keepers) =>
    keepers.keeperOf(installation, false),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  const giving = (accessToken: string) => async () => ({ accessToken });
  const opened = await first.current(giving('opened'), wait);
  const replaced = await first.replace(giving('replaced'), opened, wait);
  if (replaced === undefined) throw new Error('it was not replaced');
  expect(await second.replace(giving('by the other'), replaced, wait)).toEqual({
    accessToken: 'by the other',
  });
  expect(await first.replace(() => expect.unreachable('renewed'), replaced, wait)).toEqual({
    accessToken: 'by the other',
  });
});
