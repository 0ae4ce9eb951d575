import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The consequences, said beforehand. */
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
  /** For what has more to show than a form. */
  readonly isWide?: boolean;
}

/** A dialog over the page. Escape and a press outside close it; focus returns to where it was. */
export function Dialog({ isOpen, onClose, title, lead, children, footer, isWide = false }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
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
            {footer ?? <Button onClick={onClose}>{texts.actions.close}</Button>}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
