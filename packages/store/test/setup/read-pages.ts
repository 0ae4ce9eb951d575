import type { Page } from '@waiver-service/database';

/** The items of all pages of a list, page by page. */
export async function readPages<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<Item[][]> {
  const pages: Item[][] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await read(cursor);
    pages.push(items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}
