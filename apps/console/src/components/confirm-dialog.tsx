import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequences. */
  readonly lead: ReactNode;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly action: UseMutationResult<unknown, Error, void>;
  readonly children?: ReactNode;
}

/** Says what will happen, does it when it is confirmed, and closes when it is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, lead, confirm, isDangerous = false, action, children } = props;
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      lead={lead}
      footer={
        <>
          <Button onClick={close}>{texts.actions.cancel}</Button>
          <Button
            look={isDangerous ? 'danger' : 'primary'}
            isBusy={action.isPending}
            onClick={() => action.mutate(undefined, { onSuccess: close })}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {action.error === null ? null : <ProblemNotice error={action.error} />}
    </Dialog>
  );
}
