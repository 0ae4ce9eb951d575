import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { fieldErrorOf } from '../api/problem.ts';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './form.module.css';
import { ProblemNotice } from './notice.tsx';

/** The form whose fields are drawn. */
interface FormState<Draft> {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  /** The fault of one field, if the host named one. */
  readonly errorOf: (path: string) => string | undefined;
}

interface AddDialogProps<Draft, Added> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Of the dialog, and of the button that adds. */
  readonly title: string;
  readonly lead?: ReactNode;
  readonly emptyDraft: Draft;
  readonly isComplete?: (draft: Draft) => boolean;
  readonly add: (draft: Draft) => Promise<Added>;
  /** Of the list that it is added to, which is read again. */
  readonly queryKey: QueryKey;
  readonly children: (form: FormState<Draft>) => ReactNode;
  /** Shown in place of the form, such as a secret that is shown this once. Without it, the dialog closes. */
  readonly result?: (added: Added) => ReactNode;
}

/** A dialog with the form by which one more of a list is added. */
export function AddDialog<Draft, Added>(props: AddDialogProps<Draft, Added>) {
  const { isOpen, onClose, title, lead, emptyDraft, isComplete, queryKey, children, result } = props;
  const [draft, setDraft] = useState(emptyDraft);
  const formId = useId();
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => props.add(draft),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  const close = () => {
    add.reset();
    setDraft(emptyDraft);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // As an option of this call, it is dropped by `reset`: a late answer must not close a dialog that was opened again.
    add.mutate(undefined, { onSuccess: result === undefined ? close : undefined });
  };
  const shown = add.data === undefined ? undefined : result?.(add.data);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      lead={lead}
      footer={
        shown === undefined ? (
          <>
            <Button onClick={close}>{texts.actions.cancel}</Button>
            <Button
              type="submit"
              form={formId}
              look="primary"
              isBusy={add.isPending}
              disabled={isComplete?.(draft) === false}
            >
              {title}
            </Button>
          </>
        ) : (
          <Button onClick={close}>{texts.actions.done}</Button>
        )
      }
    >
      {shown ?? (
        <form id={formId} className={styles.form} onSubmit={submit}>
          {children({
            draft,
            change: (changes) => setDraft({ ...draft, ...changes }),
            errorOf: (path) => fieldErrorOf(add.error, path),
          })}
          {add.error === null ? null : <ProblemNotice error={add.error} />}
        </form>
      )}
    </Dialog>
  );
}
