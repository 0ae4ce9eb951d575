import type { AskItem, FormContent, FormProblem, Item } from '@waiver-service/forms';
import { createContext, useContext } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { fieldNames, formsTexts } from '../../text/english/forms.ts';
import { texts } from '../../text/english.ts';
import { languageName } from '../../text/formats.ts';
import { titleOf } from './edit-content.ts';
import styles from './forms.module.css';

/** A problem, with the ids of its page and item at the time it was found. */
export interface PlacedProblem {
  readonly page: string | undefined;
  readonly item: string | undefined;
  /** Such as `label` or `options[1].label`; for the settings, the whole path. */
  readonly field: string;
  readonly message: string;
}

const placePattern = /^pages\[(\d+)\](?:\.items\[(\d+)\])?\.?(.*)$/;

/** @param content - as checked, which may differ from the current content */
export function placeProblems(
  problems: readonly FormProblem[],
  { pages }: FormContent,
): readonly PlacedProblem[] {
  return problems.map(({ path, message }) => {
    const [, pageIndex, itemIndex, field = ''] = placePattern.exec(path) ?? [];
    if (pageIndex === undefined) return { page: undefined, item: undefined, field: path, message };
    const page = pages[Number(pageIndex)];
    const item = itemIndex === undefined ? undefined : page?.items[Number(itemIndex)];
    return { page: page?.id, item: item?.id, field, message };
  });
}

const names: Readonly<Record<string, string>> = fieldNames;

/** A field's name in the editor, such as “Question · German”. */
export function fieldName(field: string): string {
  const [, part = '', language] = /^(label|help|text|statement|title)\.(.*)$/.exec(field) ?? [];
  if (language !== undefined) return `${names[part] ?? part} · ${languageName(language)}`;
  return names[field] ?? field;
}

const verbs = /^(is|are|has|have|must|looks|names|depends|applies|never|may|allow)\b/;

/** A problem as a sentence, such as “Condition never holds: the item can never be shown.” */
export function problemText({ page, item, field, message }: PlacedProblem): string {
  const withoutLanguage = field.replace(/^(label|help|text|statement|title)\..*$/, '$1');
  const [, option] = /^options\[(\d+)\]/.exec(field) ?? [];
  if (option !== undefined) return `${formsTexts.option(Number(option) + 1)} ${message}.`;
  const whole = item !== undefined ? 'It' : page !== undefined ? 'The page' : 'The form';
  const name = field === '' || field === 'pages' ? whole : (names[withoutLanguage] ?? field);
  if (field === 'pages') return `The pages ${message}.`;
  return verbs.test(message) ? `${name} ${message}.` : `${name}: ${message}.`;
}

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

interface ToolProps {
  /** Shown; the label is read. */
  readonly sign: '↑' | '↓' | '×';
  readonly label: string;
  readonly onClick: () => void;
}

/** A small button beside a part of the form. */
export const Tool = ({ sign, label, onClick }: ToolProps) => (
  <Button size="small" look="quiet" aria-label={label} onClick={onClick}>
    {sign}
  </Button>
);

interface RemoveToolProps {
  readonly label: string;
  readonly lead: string;
  readonly onRemove: () => void;
}

export const RemoveTool = ({ label, lead, onRemove }: RemoveToolProps) => (
  <ConfirmButton
    size="small"
    look="quiet"
    label="×"
    aria-label={label}
    title={label}
    confirm={texts.actions.remove}
    lead={lead}
    change={async () => onRemove()}
    queryKey={['none']}
  />
);

/** Problems, shown next to the field they concern. */
export function ProblemLines({ problems }: { readonly problems: readonly PlacedProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="warning">
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.field} ${problem.message}`}>{problemText(problem)}</li>
        ))}
      </ul>
    </Notice>
  );
}

interface ProblemListProps {
  readonly content: FormContent;
  readonly problems: readonly PlacedProblem[];
  readonly onShow: (problem: PlacedProblem) => void;
}

/** A problem's place, such as “Page 2 · Can you swim?”. */
function placeOf({ pages, languages }: FormContent, { page, item }: PlacedProblem): string {
  const index = pages.findIndex(({ id }) => id === page);
  if (index === -1) return formsTexts.settings;
  const found = pages[index]?.items.find(({ id }) => id === item);
  const name = formsTexts.page(index + 1);
  return found === undefined
    ? name
    : `${name} · ${titleOf(found, languages) || formsTexts.types[found.type]}`;
}

/** Everything that prevents a form from being published, linked to its place. */
export function ProblemList({ content, problems, onShow }: ProblemListProps) {
  return (
    <ul className={styles.problems}>
      {problems.map((problem) => (
        <li key={`${problem.page} ${problem.item} ${problem.field} ${problem.message}`}>
          <Button size="small" look="quiet" className={styles.place ?? ''} onClick={() => onShow(problem)}>
            {placeOf(content, problem)}
          </Button>
          <span>{problemText(problem)}</span>
        </li>
      ))}
    </ul>
  );
}
