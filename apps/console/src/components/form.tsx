import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './form.module.css';
import { ProblemNotice } from './notice.tsx';

interface FormProps {
  readonly sending: UseMutationResult<unknown, Error, void>;
  readonly submitLabel: string;
  readonly children: ReactNode;
}

export function Form({ sending, submitLabel, children }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
      <ProblemNotice error={sending.error} />
      <p>
        <Button type="submit" look="primary" isBusy={sending.isPending}>
          {submitLabel}
        </Button>
      </p>
    </form>
  );
}
