import type { AskItem, FormContent, Item, Page } from '../content.ts';

/** A reason why publishing is refused. */
export interface FormProblem {
  /** Such as `pages[0].items[2].label`; empty for the whole form. */
  readonly path: string;
  readonly message: string;
}

/** An item with its place in the form. */
export interface Placed<Of extends Item = Item> {
  readonly item: Of;
  readonly page: Page;
  readonly path: string;
}

/** All items in order. */
export const placedItems = ({ pages }: FormContent): Placed[] =>
  pages.flatMap((page, index) =>
    page.items.map((item, itemIndex) => ({ item, page, path: `pages[${index}].items[${itemIndex}]` })),
  );

export const isAsk = (placed: Placed): placed is Placed<AskItem> => placed.item.type === 'ask';

/** Whether an item is shown regardless of answers. */
export const isUnconditional = ({ item, page }: Placed): boolean =>
  item.when === undefined && page.when === undefined;
