import type { ReactNode } from 'react';
import { useSession } from '../session/session.tsx';
import styles from './item.module.css';

interface ItemProps {
  readonly title: ReactNode;
  /** Shown only to people who may change the item. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

export function Item({ title, actions, children }: ItemProps) {
  const { may } = useSession();
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.title}>{title}</span>
        {may('operator') ? <span className={styles.actions}>{actions}</span> : null}
      </div>
      {children}
    </li>
  );
}
