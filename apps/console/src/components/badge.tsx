import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** The colour of a badge; its text says the same in words. */
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
