import type { ReactNode } from 'react';
import styles from './badge.module.css';

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
