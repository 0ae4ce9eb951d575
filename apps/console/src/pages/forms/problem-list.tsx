import type { FormContent } from '@waiver-service/forms';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import { titleOf } from './edit-content.ts';
import styles from './forms.module.css';
import { type PlacedProblem, problemText } from './problems.ts';

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
