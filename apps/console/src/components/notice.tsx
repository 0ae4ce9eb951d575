import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/client.ts';
import type { DeliveryState, Destination, WaiverRecord } from '../api/resources.ts';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import styles from './notice.module.css';

/** Sets a badge's color, which never carries meaning without its text. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}

interface NoticeProps {
  readonly tone?: Tone;
  readonly title?: string;
  /** Whether screen readers announce it when it appears; by default, only for the tone `bad`. */
  readonly isAnnounced?: boolean;
  readonly children?: ReactNode;
}

/** An inline message, as opposed to a toast. */
export function Notice({ tone = 'neutral', title, isAnnounced = tone === 'bad', children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={isAnnounced ? 'alert' : undefined}>
      {title === undefined ? null : <p className={styles.title}>{title}</p>}
      {children}
    </div>
  );
}

interface ProblemNoticeProps {
  readonly error: Error | null;
  readonly retry?: () => void;
}

/** An error, with a retry button if `retry` is given; renders nothing without an error. */
export function ProblemNotice({ error, retry }: ProblemNoticeProps) {
  if (error === null) return null;
  const faults = error instanceof ApiProblem ? error.errors : [];
  return (
    <Notice tone="bad">
      <p>{error.message}</p>
      {faults.length === 0 ? null : (
        <ul>
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === '' ? '' : <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {retry === undefined ? null : (
        <p>
          <Button size="small" onClick={retry}>
            {texts.actions.tryAgain}
          </Button>
        </p>
      )}
    </Notice>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children === undefined ? null : <p className="muted">{children}</p>}
    </div>
  );
}

export function Loading() {
  return (
    <p className={styles.empty} role="status">
      <span className="muted">{texts.loading}</span>
    </p>
  );
}

export function useToast(): (message: string) => void {
  const manager = Toast.useToastManager();
  return (message) => {
    manager.add({ title: message });
  };
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Content className={styles.content}>
        {/* A title, not a description: screen readers need a name for the toast. */}
        <Toast.Title render={<p />} />
        <Toast.Close className={styles.close} aria-label={texts.actions.close}>
          ×
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={5_000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

const toneOfDelivery: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'warning',
  sending: 'warning',
  delivered: 'good',
  dead: 'bad',
  held: 'warning',
  superseded: 'neutral',
  cancelled: 'neutral',
};

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  return <Badge tone={toneOfDelivery[state]}>{texts.deliveryStates[state]}</Badge>;
}

export function WaiverBadge({ waiver }: { readonly waiver: Pick<WaiverRecord, 'deleted' | 'currentPage'> }) {
  if (waiver.deleted) return <Badge tone="bad">{texts.waiverStates.voided}</Badge>;
  if (waiver.currentPage !== null) return <Badge tone="warning">{texts.waiverStates.unfinished}</Badge>;
  return <Badge tone="good">{texts.waiverStates.signed}</Badge>;
}

export function DestinationBadge({ destination }: { readonly destination: Destination }) {
  const { status, consecutiveFailures, installationStatus } = destination;
  if (installationStatus === 'needs_attention' || installationStatus === 'pending') {
    return (
      <Badge tone={installationStatus === 'pending' ? 'warning' : 'bad'}>
        {texts.installationStatuses[installationStatus]}
      </Badge>
    );
  }
  if (status === 'paused') return <Badge tone="warning">{texts.installationStatuses.paused}</Badge>;
  if (status === 'closed') return <Badge>Closed</Badge>;
  return consecutiveFailures > 0 ? <Badge tone="bad">Failing</Badge> : <Badge tone="good">Working</Badge>;
}

interface SignedCountProps {
  readonly waivers: { readonly signed: number; readonly pax: number | null };
}

export function SignedCount({ waivers: { signed, pax } }: SignedCountProps) {
  const isComplete = pax !== null && signed >= pax;
  return <Badge tone={isComplete ? 'good' : 'warning'}>{texts.bookings.signedOf(signed, pax)}</Badge>;
}
