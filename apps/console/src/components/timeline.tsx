import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import styles from './timeline.module.css';

export function Timeline({ children }: { readonly children: ReactNode }) {
  return <ol className={styles.timeline}>{children}</ol>;
}

interface TimelineItemProps {
  readonly tone?: Tone;
  /** Kept on one line, where there is room. */
  readonly line: ReactNode;
  readonly children?: ReactNode;
}

export function TimelineItem({ tone = 'neutral', line, children }: TimelineItemProps) {
  return (
    <li className={styles[tone]}>
      <p className={styles.line}>{line}</p>
      {children}
    </li>
  );
}
