import type { AskItem, FormContent, Item } from '@waiver-service/forms';
import { createContext, useContext } from 'react';
import type { PlacedProblem } from './problems.ts';

/** The state that every part of the editor reads. */
interface Editing {
  readonly content: FormContent;
  readonly change: (update: (content: FormContent) => FormContent) => void;
  readonly problems: readonly PlacedProblem[];
  readonly isReadOnly: boolean;
  /** The id of the expanded item. */
  readonly opened: string | undefined;
  readonly open: (item: string | undefined) => void;
  /** Chooses the page that the preview shows. */
  readonly showPage: (page: string) => void;
}

export const EditingContext = createContext<Editing | undefined>(undefined);

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === undefined) throw new Error('no form is being edited');
  return editing;
}

const isAsk = (item: Item): item is AskItem => item.type === 'ask';

/** The questions above an item, or above a page: conditions may refer to no others. */
export function questionsAbove({ pages }: FormContent, pageIndex: number, itemIndex = 0): readonly AskItem[] {
  const before = pages.slice(0, pageIndex).flatMap(({ items }) => items);
  return [...before, ...(pages[pageIndex]?.items.slice(0, itemIndex) ?? [])].filter(isAsk);
}
