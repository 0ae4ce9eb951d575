import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

interface CardProps {
  readonly title?: string;
  /** Buttons and links beside the title. */
  readonly actions?: ReactNode;
  /** Without padding, for a table or a list that reaches the edges. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

export function Card({ title, actions, isFlush = false, children }: CardProps) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={title === undefined ? undefined : titleId}>
      {title === undefined && actions === undefined ? null : (
        <header className={styles.header}>
          <h2 id={titleId}>{title}</h2>
          <div className={styles.actions}>{actions}</div>
        </header>
      )}
      <div className={isFlush ? '' : styles.body}>{children}</div>
    </section>
  );
}
