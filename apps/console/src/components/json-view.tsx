import type { Ref } from 'react';
import styles from './json-view.module.css';

interface JsonViewProps {
  readonly value: unknown;
  readonly label: string;
  readonly ref?: Ref<HTMLElement>;
}

/** Indented JSON, or a string verbatim; markup in it is not interpreted. */
export function JsonView({ value, label, ref }: JsonViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={ref} className={styles.json} tabIndex={0} aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </section>
  );
}
