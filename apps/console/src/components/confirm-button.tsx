import type { ReactNode } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Dialog, DialogButton, type OpeningButton } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';
import { type ChangeOptions, useChange } from './use-change.ts';

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
