import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { fieldErrorOf } from '../api/problem.ts';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Dialog, DialogButton, type OpeningButton } from './dialog.tsx';
import styles from './form.module.css';
import { Notice, ProblemNotice } from './notice.tsx';
import { useToast } from './toasts.tsx';

interface BoundField<Value> {
  readonly value: Value;
  onChange(value: Value): void;
  readonly error: string | undefined;
}

export interface FormState<Draft> {
  readonly draft: Draft;
  /** Binds a control to a field of the draft. `paths`: others by which the host may report its error. */
  field<Name extends keyof Draft & string>(name: Name, ...paths: readonly string[]): BoundField<Draft[Name]>;
}

interface FormDialogProps<Draft, Saved> {
  readonly onClose: () => void;
  readonly title: string;
  /** Defaults to the title. */
  readonly submitLabel?: string;
  readonly lead?: ReactNode;
  readonly initialDraft: Draft;
  readonly isComplete?: (draft: Draft) => boolean;
  readonly submit: (draft: Draft) => Promise<Saved>;
  /** The list to refresh, on success and on failure. */
  readonly queryKey: QueryKey;
  /** The toast on success. */
  readonly done?: string;
  readonly children: (form: FormState<Draft>) => ReactNode;
  /** Replaces the form, such as a secret that is shown once; then only its button closes it. If undefined, it closes. */
  readonly result?: (saved: Saved) => ReactNode;
}

/** A dialog with a form that adds or edits an entry of a list. */
export function FormDialog<Draft, Saved>(props: FormDialogProps<Draft, Saved>) {
  const { onClose, title, submitLabel = title, lead } = props;
  const { initialDraft, isComplete, queryKey, done, children, result } = props;
  const [initial] = useState(initialDraft);
  const [draft, setDraft] = useState(initial);
  const [isLeaving, setIsLeaving] = useState(false);
  const formId = useId();
  const queries = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    networkMode: 'always',
    mutationFn: () => props.submit(draft),
    onSuccess: () => {
      if (done !== undefined) toast(done);
      return queries.invalidateQueries({ queryKey });
    },
    // A stale list may be the reason.
    onError: () => {
      void queries.invalidateQueries({ queryKey });
    },
  });
  const closeUnlessShown = (saved: Saved) => {
    if (result?.(saved) === undefined) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsLeaving(false);
    save.mutate(undefined, { onSuccess: closeUnlessShown });
  };
  const form: FormState<Draft> = {
    draft,
    field: (name, ...paths) => ({
      value: draft[name],
      onChange: (value) => setDraft({ ...draft, [name]: value }),
      error: [name, ...paths]
        .map((path) => fieldErrorOf(save.error, path))
        .find((error) => error !== undefined),
    }),
  };
  const hasUnsaved = JSON.stringify(draft) !== JSON.stringify(initial);
  const close = () => (hasUnsaved ? setIsLeaving(!isLeaving) : onClose());
  const shown = save.data === undefined ? undefined : result?.(save.data);
  if (shown !== undefined) {
    return (
      <Dialog
        onClose={onClose}
        title={title}
        lead={lead}
        closeLabel={texts.actions.done}
        isClosedByButtonOnly
      >
        {shown}
      </Dialog>
    );
  }
  return (
    <Dialog
      onClose={close}
      title={title}
      lead={lead}
      closeLabel={isLeaving ? texts.actions.keepEditing : texts.actions.cancel}
      isBusy={save.isPending}
      action={
        <Button
          type="submit"
          form={formId}
          look="primary"
          isBusy={save.isPending}
          disabled={isComplete?.(draft) === false}
        >
          {submitLabel}
        </Button>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        {children(form)}
        <ProblemNotice error={save.error} />
        {isLeaving ? (
          <Notice tone="warning" isAnnounced>
            <p>{texts.unsaved}</p>
            <p>
              <Button size="small" onClick={onClose}>
                {texts.actions.discard}
              </Button>
            </p>
          </Notice>
        ) : null}
      </form>
    </Dialog>
  );
}

interface FormButtonProps<Draft, Saved>
  extends OpeningButton,
    Omit<FormDialogProps<Draft, Saved>, 'onClose'> {
  readonly label?: string;
}

export function FormButton<Draft, Saved>(props: FormButtonProps<Draft, Saved>) {
  const { title, label = title, size, look } = props;
  return (
    <DialogButton
      label={label}
      size={size}
      look={look}
      dialog={(close) => <FormDialog {...props} onClose={close} />}
    />
  );
}
