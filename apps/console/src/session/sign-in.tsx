import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Me } from '../api/resources.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { texts } from '../text/english.ts';
import { signIn } from './session-api.ts';
import styles from './sign-in.module.css';

/** Asks for the token of a credential. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: (me: Me | null) => void }) {
  const [token, setToken] = useState('');
  const attempt = useMutation({ mutationFn: () => signIn(token.trim()), onSuccess: onSignedIn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={submit}>
        <h1>{texts.product}</h1>
        <p className="muted">{texts.signIn.lead}</p>
        <TextField
          label={texts.signIn.token}
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={token}
          onChange={setToken}
          error={attempt.error?.message}
        />
        <Button type="submit" look="primary" isBusy={attempt.isPending} disabled={token.trim() === ''}>
          {texts.signIn.submit}
        </Button>
      </form>
    </main>
  );
}
