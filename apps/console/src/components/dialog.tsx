import { Dialog as Base } from '@base-ui/react/dialog';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

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
        <Base.Backdrop className={styles.backdrop} />
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
