import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openOutbox } from '../setup/open-test-store.ts';

const late = (
  number: number,
  link: string | null,
  reason = link === null ? 'link_unknown' : 'link_expired',
) => ({
  pool: 'p1',
  signing: null,
  link,
  bookingSystem: null,
  bookingId: null,
  reason,
  summary: '{}',
  body: `${link} ${number}`,
  contentHash: createHash('sha256').update(`${link} ${number} ${reason}`).digest('hex'),
  emails: [],
});

test('signings that name no link of the pool leave room for those that do', async () => {
  const { store } = await openOutbox({ webhook: false });
  const outcomes = await Promise.all(
    Array.from({ length: 199 }, (_, number) => store.lateSignings.keep(late(number, null))),
  );
  expect(new Set(outcomes)).toEqual(new Set(['kept']));
  expect(await store.lateSignings.keep(late(199, null))).toBe('kept');
  expect(await store.lateSignings.keep(late(200, null))).toBe('full');
  expect(await store.lateSignings.keep(late(0, 'withdrawn', 'link_revoked'))).toBe('full');
  expect(await store.lateSignings.keep({ ...late(0, 'stolen', 'kiosk_revoked'), isAtKiosk: true })).toBe(
    'full',
  );
  expect(await store.lateSignings.keep(late(0, 'a link'))).toBe('kept');
});

test('one link leaves at most 30 signings, or 64 MiB, however many arrive at once', async () => {
  const { store } = await openOutbox({ webhook: false });
  const keep = (link: string, count: number, change: object = {}) =>
    Promise.all(
      Array.from({ length: count }, (_, number) =>
        store.lateSignings.keep({ ...late(number, link), ...change }),
      ),
    );
  const kept = (outcomes: readonly string[]) => outcomes.filter((outcome) => outcome === 'kept').length;
  expect(kept(await keep('flood', 60))).toBe(30);
  expect(kept(await keep('withdrawn', 40, { reason: 'link_revoked' }))).toBe(30);
  expect(kept(await keep('kiosk', 60, { isAtKiosk: true }))).toBe(60);
  const large = { body: 'x'.repeat(12 * 1024 ** 2) };
  expect(kept(await keep('large', 8, large))).toBe(3);
  expect(kept(await keep('honest', 5))).toBe(5);
});
