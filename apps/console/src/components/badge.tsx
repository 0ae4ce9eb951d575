import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** What a badge says at a glance; its text says it in words. */
export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A short state in words, with a dot in the colour of its tone. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
