import { maxPageBytes } from '@waiver-service/database';
import { maxAnswersBytes, type WaiverRecord } from '@waiver-service/waivers';
import { expect, test } from 'vitest';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

const answersOf = (bytes: number) => ({ name: 'Ann', own: 'x'.repeat(bytes - 24) });

async function storeWith(sizes: readonly number[]) {
  const opened = await openOutbox({ installed: false, webhook: false });
  for (const [place, bytes] of sizes.entries()) {
    await opened.store.waivers.create(waiver({ id: `w${place}`, answers: answersOf(bytes) }));
  }
  return opened;
}

const bytesOf = (items: readonly WaiverRecord[]) => Buffer.byteLength(JSON.stringify(items));

test('pages of large records are limited by bytes, and together hold each record once', async () => {
  const sizes = Array.from({ length: 40 }, () => maxAnswersBytes);
  const { store } = await storeWith(sizes);
  const ids: string[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.waivers.list('p1', { limit: 100, cursor });
    expect(bytesOf(page.items)).toBeLessThanOrEqual(maxPageBytes);
    ids.push(...page.items.map(({ id }) => id));
    pages.push(page.items.length);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  expect(ids).toEqual(sizes.map((_, place) => `w${place}`));
  expect(pages).toEqual([15, 15, 10]);
});

test('a record larger than a page gets a separate page', async () => {
  const { store, query } = await storeWith([100, 100, 100]);
  await query(
    "update waiver set answers = json_build_object('name', repeat('x', $1))::text where id = 'w1'",
    [maxPageBytes + 1],
  );
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.waivers.list('p1', { limit: 100, cursor });
    pages.push(page.items.map(({ id }) => id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  expect(pages).toEqual([['w0'], ['w1'], ['w2']]);
});

test('small records fill a page to its limit, and the last page has no next page', async () => {
  const { store } = await storeWith(Array.from({ length: 5 }, () => 100));
  const first = await store.waivers.list('p1', { limit: 3 });
  expect(first.items).toHaveLength(3);
  const second = await store.waivers.list('p1', { limit: 2, cursor: first.next ?? '' });
  expect(second).toMatchObject({ items: [{ id: 'w3' }, { id: 'w4' }], next: null });
  expect(await store.waivers.list('p1', { limit: 3, bookingId: 'none' })).toEqual({ items: [], next: null });
});
