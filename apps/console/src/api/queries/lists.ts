import {
  infiniteQueryOptions,
  type keepPreviousData,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

interface PageParams {
  readonly limit: number;
  readonly cursor: string | undefined;
}

export const limit = 100;
// The maximum of lists that are read whole, for choices and for names: more would be too many to choose from.
const maxPages = 20;

interface PagedState {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } };
}

// A refresh reads every page of a list again, so longer lists are left as they are.
const maxRefreshedPages = 3;

/** Refreshes a list unless it is long. */
export const whileShort =
  (everyMs: number) =>
  ({ state }: PagedState): number | false =>
    (state.data?.pages.length ?? 0) > maxRefreshedPages ? false : everyMs;

interface ListOptions {
  readonly refetchInterval?: (query: PagedState) => number | false;
  readonly placeholderData?: typeof keepPreviousData;
  readonly retry?: false;
  readonly staleTime?: number;
}

/** The pages of a list, one after the other, up to a maximum. */
export async function readPages<Read extends Page<unknown>>(
  readPage: (page: PageParams) => Promise<Read>,
): Promise<[Read, ...Read[]]> {
  let page = await readPage({ limit, cursor: undefined });
  const pages: [Read, ...Read[]] = [page];
  while (page.next !== null && pages.length < maxPages) {
    page = await readPage({ limit, cursor: page.next });
    pages.push(page);
  }
  return pages;
}

export const wholeList = <Item>(
  queryKey: string[],
  readPage: (page: PageParams) => Promise<Page<Item>>,
  refetchInterval: number | false = false,
) =>
  queryOptions({
    queryKey,
    refetchInterval,
    queryFn: async () => (await readPages(readPage)).flatMap(({ items }) => items),
  });

export const pagedList = <Key extends QueryKey, Read extends Page<unknown>>(
  queryKey: Key,
  readPage: (page: PageParams) => Promise<Read>,
  options: ListOptions = {},
) =>
  infiniteQueryOptions({
    ...options,
    queryKey,
    queryFn: ({ pageParam }) => readPage({ limit, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
