import { Dialog as Base } from '@base-ui/react/dialog';
import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { fieldErrorOf } from '../api/client.ts';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { handleSubmit } from './field.tsx';
import { Notice, ProblemNotice, useToast } from './notice.tsx';

interface ChangeOptions<Result, Input> {
  readonly change: (input: Input) => Promise<Result>;
  /** The queries to refresh afterwards; all by default. */
  readonly queryKey?: QueryKey;
  /** The toast on success. */
  readonly done?: string | ((result: Result) => string);
}

/** A mutation that refreshes queries and shows a toast on success. */
export function useChange<Result, Input = void>({ change, queryKey, done }: ChangeOptions<Result, Input>) {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    networkMode: 'always',
    mutationFn: change,
    async onSuccess(result) {
      await queries.invalidateQueries(queryKey === undefined ? {} : { queryKey });
      if (done !== undefined) toast(typeof done === 'string' ? done : done(result));
    },
  });
}

interface FormProps {
  readonly sending: UseMutationResult<unknown, Error, void>;
  readonly submitLabel: string;
  readonly children: ReactNode;
}

export function Form({ sending, submitLabel, children }: FormProps) {
  return (
    <form className="form" onSubmit={handleSubmit(sending.mutate)}>
      {children}
      <ProblemNotice error={sending.error} />
      <p>
        <Button type="submit" look="primary" isBusy={sending.isPending}>
          {submitLabel}
        </Button>
      </p>
    </form>
  );
}

interface DialogProps {
  readonly onClose: () => void;
  readonly title: string;
  /** Explains the consequences. */
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
  readonly closeLabel?: string;
  /** The dialog's primary button. */
  readonly action?: ReactNode;
  readonly isWide?: boolean;
  /**
   * Whether a request is under way, whose answer must be seen: it cannot be closed before. The request's mutation has
   * `networkMode: 'always'`, so that it fails at once without a network, instead of waiting for one.
   */
  readonly isBusy?: boolean;
  /** For what cannot be shown again: neither Escape nor a press outside closes it. */
  readonly isClosedByButtonOnly?: boolean;
}

/** A modal dialog. Escape and a press outside close it; focus returns to where it was. */
export function Dialog(props: DialogProps) {
  const { onClose, title, lead, children, closeLabel = texts.actions.close, action } = props;
  const { isWide = false, isBusy = false, isClosedByButtonOnly = false } = props;
  const staysOpen = isBusy || isClosedByButtonOnly;
  return (
    <Base.Root open onOpenChange={(_open, event) => (staysOpen ? event.cancel() : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`${styles.popup} ${isWide ? styles.wide : ''}`}>
          <Base.Title className={styles.title}>{title}</Base.Title>
          {lead === undefined ? null : (
            <Base.Description render={<div />} className="muted">
              {lead}
            </Base.Description>
          )}
          {children}
          <div className={styles.footer}>
            <Button onClick={onClose} disabled={isBusy}>
              {closeLabel}
            </Button>
            {action}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export type OpeningButton = Pick<ComponentProps<typeof Button>, 'size' | 'look' | 'aria-label'>;

interface ActionButtonProps<Result> extends OpeningButton, ChangeOptions<Result, void> {
  readonly label: string;
}

/** A button that acts at once, and says in a toast if that failed. */
export function ActionButton<Result>({
  label,
  change,
  queryKey,
  done,
  ...button
}: ActionButtonProps<Result>) {
  const toast = useToast();
  const action = useChange({ change, queryKey, done });
  return (
    <Button
      {...button}
      isBusy={action.isPending}
      onClick={() => action.mutate(undefined, { onError: (error) => toast(error.message) })}
    >
      {label}
    </Button>
  );
}

/** Saves a file through the browser. A plain link could not send the header that the host requires. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Revoked late: the browser must have started reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

interface FileButtonProps extends Pick<ComponentProps<typeof Button>, 'size'> {
  readonly label: string;
  readonly read: () => Promise<Blob>;
  readonly use: (file: Blob) => void;
}

/** A button that reads a file from the service. */
export function FileButton({ label, read, use, size }: FileButtonProps) {
  const toast = useToast();
  const reading = useMutation({ mutationFn: read, onSuccess: use, onError: (error) => toast(error.message) });
  return (
    <Button size={size} isBusy={reading.isPending} onClick={() => reading.mutate()}>
      {label}
    </Button>
  );
}

interface DialogButtonProps extends OpeningButton {
  readonly label: string;
  readonly dialog: (close: () => void) => ReactNode;
}

/** A button that opens a dialog, which is mounted only while it is open. */
export function DialogButton({ label, dialog, ...button }: DialogButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {isOpen ? dialog(() => setIsOpen(false)) : null}
    </>
  );
}

interface ConfirmButtonProps<Result> extends OpeningButton, ChangeOptions<Result, void> {
  readonly label: string;
  /** The dialog's title; defaults to the label. */
  readonly title?: string;
  readonly confirm?: string;
  readonly lead: ReactNode;
  readonly isDangerous?: boolean;
  readonly children?: ReactNode;
}

/** A button that explains what will happen, and acts once that is confirmed. */
export function ConfirmButton<Result>(props: ConfirmButtonProps<Result>) {
  const { label, size, look, isDangerous = false, 'aria-label': ariaLabel } = props;
  return (
    <DialogButton
      label={label}
      size={size}
      look={isDangerous ? 'danger' : look}
      aria-label={ariaLabel}
      dialog={(close) => <ConfirmDialog {...props} onClose={close} />}
    />
  );
}

interface ConfirmDialogProps<Result> extends ConfirmButtonProps<Result> {
  readonly onClose: () => void;
}

function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { label, title = label, confirm = label, lead, isDangerous = false, children, onClose } = props;
  const action = useChange(props);
  return (
    <Dialog
      onClose={onClose}
      title={title}
      lead={lead}
      closeLabel={texts.actions.cancel}
      isBusy={action.isPending}
      action={
        <Button
          look={isDangerous ? 'danger' : 'primary'}
          isBusy={action.isPending}
          onClick={() => action.mutate(undefined, { onSuccess: onClose })}
        >
          {confirm}
        </Button>
      }
    >
      {children}
      <ProblemNotice error={action.error} />
    </Dialog>
  );
}

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
  /** The queries to refresh, on success and on failure; all by default. */
  readonly queryKey?: QueryKey;
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
  const refreshed = queryKey === undefined ? {} : { queryKey };
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
      return queries.invalidateQueries(refreshed);
    },
    // A stale list may be the reason.
    onError: () => {
      void queries.invalidateQueries(refreshed);
    },
  });
  const closeUnlessShown = (saved: Saved) => {
    if (result?.(saved) === undefined) onClose();
  };
  const submit = handleSubmit(() => {
    setIsLeaving(false);
    save.mutate(undefined, { onSuccess: closeUnlessShown });
  });
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
      <form id={formId} className="form" onSubmit={submit}>
        {children(form)}
        <ProblemNotice error={save.error} />
        {isLeaving ? (
          <Notice tone="warning" isAnnounced>
            <p>What you entered is not saved.</p>
            <p>
              <Button size="small" onClick={onClose}>
                Discard
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
