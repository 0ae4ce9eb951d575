export interface Page<Item> {
  readonly items: Item[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

export interface PageRequest {
  /** 1 to 100, checked by the caller. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
}
