/** One page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** The cursor of the page that follows, null on the last one. */
  readonly next: string | null;
}

/** Which page of a list is asked for. */
export interface PageRequest {
  /** Most items, 1 to 100; the caller checks it. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}
