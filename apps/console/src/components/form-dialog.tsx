import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { fieldErrorOf } from '../api/problem.ts';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './form.module.css';
import { ProblemNotice } from './notice.tsx';

/** The form whose fields are drawn. */
export interface FormState<Draft> {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  /** The fault of one field, if the host named one. */
  readonly errorOf: (path: string) => string | undefined;
}

interface FormDialogProps<Draft, Saved> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Of the button that sends the form; the title by default. */
  readonly submitLabel?: string;
  readonly lead?: ReactNode;
  readonly initialDraft: Draft;
  readonly isComplete?: (draft: Draft) => boolean;
  readonly submit: (draft: Draft) => Promise<Saved>;
  /** Of the list that it belongs to, which is read again, also if it was refused. */
  readonly queryKey: QueryKey;
  readonly children: (form: FormState<Draft>) => ReactNode;
  /** Shown in place of the form, such as a secret that is shown this once. If there is nothing, the dialog closes. */
  readonly result?: (saved: Saved) => ReactNode;
}

/** A dialog with the form by which something is added to a list, or changed in it. */
export function FormDialog<Draft, Saved>(props: FormDialogProps<Draft, Saved>) {
  const { isOpen, onClose, title, submitLabel = title, lead } = props;
  const { initialDraft, isComplete, queryKey, children, result } = props;
  const [draft, setDraft] = useState(initialDraft);
  const formId = useId();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => props.submit(draft),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    // It may be refused because the list is no longer as it is shown.
    onError: () => {
      void queries.invalidateQueries({ queryKey });
    },
  });
  const close = () => {
    save.reset();
    setDraft(initialDraft);
    onClose();
  };
  const closeUnlessShown = (saved: Saved) => {
    if (result?.(saved) === undefined) close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // As an option of this call, it is dropped by `reset`: a late answer must not close a dialog that was opened again.
    save.mutate(undefined, { onSuccess: closeUnlessShown });
  };
  const shown = save.data === undefined ? undefined : result?.(save.data);
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
              isBusy={save.isPending}
              disabled={isComplete?.(draft) === false}
            >
              {submitLabel}
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
            errorOf: (path) => fieldErrorOf(save.error, path),
          })}
          {save.error === null ? null : <ProblemNotice error={save.error} />}
        </form>
      )}
    </Dialog>
  );
}
