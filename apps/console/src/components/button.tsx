import type { ComponentProps } from 'react';
import styles from './button.module.css';

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
      // Not `disabled`, which would take the focus away. Enter in a field of a form is such a press, too.
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={`${styles.button} ${styles[look]} ${styles[size]} ${className}`}
    />
  );
}
