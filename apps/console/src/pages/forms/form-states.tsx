import type { FormItem } from '../../api/resources.ts';
import { Badge } from '../../components/badge.tsx';
import { texts } from '../../text/english.ts';
import styles from './forms.module.css';

/** Whether guests sign a form, and whether something was edited since. */
export function FormStates({ form: { published, draft, archivedAt } }: { readonly form: FormItem }) {
  if (archivedAt !== null) return <Badge>{texts.guestForms.states.archived}</Badge>;
  return (
    <span className={styles.row}>
      {published === null ? null : <Badge tone="good">{texts.guestForms.states.published}</Badge>}
      {draft || published === null ? <Badge tone="warning">{texts.guestForms.states.draft}</Badge> : null}
    </span>
  );
}
