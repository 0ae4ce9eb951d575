import { useState } from 'react';
import { Button } from './button.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'isOpen' | 'onClose'> {
  readonly label: string;
  readonly size?: 'normal' | 'small';
  readonly look?: 'primary' | 'plain';
  /** Read out in place of the label, where several buttons have the same one. */
  readonly 'aria-label'?: string;
}

/** A button that says what will happen, and does it when that is confirmed. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, size, look = 'plain', 'aria-label': ariaLabel, ...dialog } = props;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size={size}
        look={dialog.isDangerous ? 'danger' : look}
        aria-label={ariaLabel}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      <ConfirmDialog {...dialog} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
