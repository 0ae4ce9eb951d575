import { Notice } from '../../components/notice.tsx';
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
