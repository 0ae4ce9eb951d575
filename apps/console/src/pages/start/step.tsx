import type { ReactNode } from 'react';
import { Badge } from '../../components/badge.tsx';
import { texts } from '../../text/english.ts';
import styles from './start-page.module.css';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly lead: string;
  readonly isDone: boolean;
  readonly isCurrent: boolean;
  /** Shown beside a completed step. */
  readonly summary?: ReactNode;
  readonly children: ReactNode;
}

/** Shows its content while it is the current step, otherwise one line. */
export function Step({ number, title, lead, isDone, isCurrent, summary, children }: StepProps) {
  const look = isDone ? styles.done : isCurrent ? styles.current : '';
  return (
    <li className={`${styles.step} ${look}`} aria-current={isCurrent ? 'step' : undefined}>
      <span className={styles.number} aria-hidden="true">
        {isDone ? '✓' : number}
      </span>
      <div>
        <div className={styles.heading}>
          <h2>{title}</h2>
          {isDone ? <Badge tone="good">{texts.start.done}</Badge> : null}
          {isDone ? summary : null}
        </div>
        {isCurrent ? (
          <div className={styles.body}>
            <p className="muted">{lead}</p>
            {children}
          </div>
        ) : null}
      </div>
    </li>
  );
}
