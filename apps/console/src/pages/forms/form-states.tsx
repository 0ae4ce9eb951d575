import type { FormItem } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import styles from './forms.module.css';

/** Whether a form is published, and whether it has been edited since. */
export function FormStates({ form: { published, draft, archivedAt } }: { readonly form: FormItem }) {
  if (archivedAt !== null) return <Badge>{formsTexts.states.archived}</Badge>;
  return (
    <span className={styles.row}>
      {published === null ? null : <Badge tone="good">{formsTexts.states.published}</Badge>}
      {draft || published === null ? <Badge tone="warning">{formsTexts.states.draft}</Badge> : null}
    </span>
  );
}
