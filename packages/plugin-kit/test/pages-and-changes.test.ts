import { expect, test } from 'vitest';
import { z } from 'zod';
import { type ChangeSearch, changesWithOverlap, listPage, readAllPages } from '../src/index.ts';

test('the pages of a list keep the size of the first, at most the vendor’s', () => {
  const first = listPage({ limit: 40 }, 50);
  expect(first).toMatchObject({ page: 1, size: 40, offset: 0 });
  const second = listPage({ limit: 10, cursor: first.next }, 50);
  expect(second).toMatchObject({ page: 2, size: 40, offset: 40 });
  expect(listPage({ limit: 10, cursor: second.next }, 50)).toMatchObject({ page: 3, offset: 80 });
  expect(listPage({ limit: 100 }, 50).size).toBe(50);
});

test.each(['', '2', '{"page":1,"size":10}', '{"page":2,"size":51}', '{"page":2,"size":0}', '{"page":2}'])(
  'the cursor %j of a list is refused',
  (cursor) => {
    expect(() => listPage({ limit: 10, cursor }, 50)).toThrow(
      expect.objectContaining({ code: 'malformed_list_cursor' }),
    );
  },
);

test('all pages are read until the vendor has no more, or sends an empty one', async () => {
  const places: object[] = [];
  const pagesOf = (pages: readonly (readonly number[])[], hasNext: (page: number) => boolean) =>
    readAllPages(async (place) => {
      places.push(place);
      return { items: pages[place.page - 1] ?? [], hasNext: hasNext(place.page) };
    });
  expect(await pagesOf([[1, 2], [3]], (page) => page < 2)).toEqual([1, 2, 3]);
  expect(places).toEqual([
    { page: 1, offset: 0 },
    { page: 2, offset: 2 },
  ]);
  expect(await pagesOf([[1], []], () => true)).toEqual([1]);
  const endless = readAllPages(async () => ({ items: [1], hasNext: true }), 3);
  await expect(endless).rejects.toThrow('more than 3 pages');
});

const minute = 60_000;
const at = (minutes: number) => new Date(Date.UTC(2027, 5, 11) + minutes * minute);

/** A search whose pages and periods are recorded. */
function recorded(pages: readonly (number | undefined)[], more: Partial<ChangeSearch<number>> = {}) {
  const asked: [since: number, until: number, page: number | undefined][] = [];
  const minutesOf = (time: Date) => (time.getTime() - at(0).getTime()) / minute;
  const search: ChangeSearch<number> = {
    pageSchema: z.int().min(2),
    async search({ since, until }, page) {
      asked.push([minutesOf(since), minutesOf(until), page]);
      return { bookingIds: [`B${asked.length}`], next: pages[asked.length - 1] };
    },
    ...more,
  };
  return { asked, search };
}

test('changes are searched from a minute before the last search began, page by page', async () => {
  const { asked, search } = recorded([2, undefined, undefined]);
  const first = await changesWithOverlap({ cursor: undefined, now: at(0) }, search);
  expect(first).toMatchObject({ bookingIds: [], hasMore: false });
  expect(asked).toEqual([]);
  const second = await changesWithOverlap({ cursor: first.cursor, now: at(5) }, search);
  expect(second).toMatchObject({ bookingIds: ['B1'], hasMore: true });
  const third = await changesWithOverlap({ cursor: second.cursor, now: at(8) }, search);
  expect(third).toMatchObject({ bookingIds: ['B2'], hasMore: false });
  await changesWithOverlap({ cursor: third.cursor, now: at(10) }, search);
  expect(asked).toEqual([
    [-1, 5, undefined],
    [-1, 5, 2],
    [4, 10, undefined],
  ]);
});

test('a long period is searched in the parts that the vendor allows', async () => {
  const { asked, search } = recorded([], { maxPeriodMs: 10 * minute });
  let { cursor } = await changesWithOverlap({ cursor: undefined, now: at(0) }, search);
  const more: boolean[] = [];
  for (let call = 0; call < 3; call += 1) {
    const changes = await changesWithOverlap({ cursor, now: at(25) }, search);
    more.push(changes.hasMore);
    ({ cursor } = changes);
  }
  expect(asked).toEqual([
    [-1, 9, undefined],
    [9, 19, undefined],
    [19, 25, undefined],
  ]);
  expect(more).toEqual([true, true, false]);
});

test.each([
  '',
  '{}',
  '{"since":-1}',
  '{"since":1e20}',
  '{"since":1,"rest":{"until":2,"nextSince":2,"page":1}}',
])('the cursor %j of changes is refused', async (cursor) => {
  const { asked, search } = recorded([]);
  await expect(changesWithOverlap({ cursor, now: at(0) }, search)).rejects.toMatchObject({
    code: 'malformed_list_cursor',
  });
  expect(asked).toEqual([]);
});
