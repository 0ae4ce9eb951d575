import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openInstalledStore } from '../setup/installed-store.ts';

const late = (number: number, link: string | null) => ({
  pool: 'p1',
  signing: null,
  link,
  bookingSystem: null,
  bookingId: null,
  reason: link === null ? 'link_unknown' : 'link_revoked',
  summary: '{}',
  body: `${link} ${number}`,
  contentHash: createHash('sha256').update(`${link} ${number}`).digest('hex'),
  emails: [],
});

test('signings that name no link of the pool leave room for those that do', async () => {
  const { store } = await openInstalledStore();
  const outcomes = await Promise.all(
    Array.from({ length: 199 }, (_, number) => store.lateSignings.keep(late(number, null))),
  );
  expect(new Set(outcomes)).toEqual(new Set(['kept']));
  expect(await store.lateSignings.keep(late(199, null))).toBe('kept');
  expect(await store.lateSignings.keep(late(200, null))).toBe('full');
  expect(await store.lateSignings.keep(late(0, 'a link'))).toBe('kept');
});
