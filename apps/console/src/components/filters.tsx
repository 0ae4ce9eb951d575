import type { ReactNode } from 'react';
import { texts } from '../text/english.ts';
import styles from './filters.module.css';

/** The fields that narrow a list. */
export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <search aria-label={texts.filters.label} className={styles.filters}>
      {children}
    </search>
  );
}
