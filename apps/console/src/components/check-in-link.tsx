import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import styles from './check-in-link.module.css';
import { Copyable } from './copyable.tsx';
import { DateTime } from './date-time.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { QrCode } from './qr-code.tsx';

export interface ShownLink {
  readonly url: string;
  /** Null until the booking has been read. */
  readonly expiresAt: string | null;
}

interface CheckInLinkDialogProps {
  readonly onClose: () => void;
  readonly title: string;
  readonly lead: string;
  readonly link: ShownLink;
  /** Whether it cannot be shown again. */
  readonly isShownOnce: boolean;
  /** Printed at the top of the page. */
  readonly heading: ReactNode;
}

/** Shows a link and its QR code, to copy, scan or print. */
export function CheckInLinkDialog(props: CheckInLinkDialogProps) {
  const { onClose, title, lead, link, isShownOnce, heading } = props;
  const { url, expiresAt } = link;
  return (
    <Dialog
      onClose={onClose}
      title={title}
      lead={lead}
      closeLabel={texts.actions.done}
      isClosedByButtonOnly={isShownOnce}
      action={<Button onClick={() => print()}>{texts.checkIn.print}</Button>}
    >
      {isShownOnce ? <Notice tone="warning">{texts.secrets.once}</Notice> : null}
      <div className={styles.code}>
        <QrCode text={url} label={texts.checkIn.qrCode} />
      </div>
      <Copyable text={url} label={texts.checkIn.link} />
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          {texts.checkIn.openHere}
        </a>
      </p>
      {expiresAt === null ? (
        <p className="muted">{texts.checkIn.endsWithBooking}</p>
      ) : (
        <p className="muted">
          {texts.checkIn.worksUntil} <DateTime value={expiresAt} />
        </p>
      )}
      {createPortal(
        <section className={styles.sheet} aria-hidden="true">
          <h1>{heading}</h1>
          <QrCode text={url} label={texts.checkIn.qrCode} />
          <p>{texts.checkIn.scan}</p>
          <p className={styles.address}>{url}</p>
        </section>,
        document.body,
      )}
    </Dialog>
  );
}
