import type { ComponentProps } from 'react';
import styles from './controls.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  /** Shows progress and ignores presses. */
  readonly isBusy?: boolean;
}

export function Button({
  look = 'plain',
  size = 'normal',
  isBusy = false,
  className = '',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // `disabled` would lose focus. preventDefault also blocks submission by Enter in a form field.
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={`${styles.button} ${styles[look]} ${styles[size]} ${className}`}
    />
  );
}
