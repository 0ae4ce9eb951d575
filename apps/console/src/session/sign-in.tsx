import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Me } from '../api/resources.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { ProblemNotice } from '../components/notice.tsx';
import { texts } from '../text/english.ts';
import { readIssuerName, signIn, signInByIssuer } from './session-api.ts';
import styles from './sign-in.module.css';

/** Asks for a credential's token, and offers sign-in through the issuer if one is configured. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: (me: Me | null) => void }) {
  const [token, setToken] = useState('');
  const issuer = useQuery({
    queryKey: ['issuer'],
    queryFn: async () => (await readIssuerName()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const attempt = useMutation({ mutationFn: () => signIn(token.trim()), onSuccess: onSignedIn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  const name = issuer.data ?? undefined;
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={submit}>
        <h1>{texts.product}</h1>
        {name === undefined ? null : <IssuerButton name={name} />}
        <p className="muted">{name === undefined ? texts.signIn.lead : texts.signIn.orToken}</p>
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
        <Button
          type="submit"
          look={name === undefined ? 'primary' : 'plain'}
          isBusy={attempt.isPending}
          disabled={token.trim() === ''}
        >
          {texts.signIn.submit}
        </Button>
      </form>
    </main>
  );
}

function IssuerButton({ name }: { readonly name: string }) {
  const leave = useMutation({ mutationFn: signInByIssuer });
  return (
    <>
      <Button look="primary" isBusy={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        {texts.signIn.withIssuer(name)}
      </Button>
      <ProblemNotice error={leave.error} />
    </>
  );
}
