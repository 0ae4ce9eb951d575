import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me } from '../api/resources.ts';
import { Button } from '../components/button.tsx';
import { handleSubmit, TextField } from '../components/field.tsx';
import { Loading, ProblemNotice } from '../components/notice.tsx';
import { texts } from '../text/english.ts';
import { readIssuerName, readLink, signIn, signInByCode, signInByIssuer } from './session-api.ts';
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
  const name = issuer.data ?? undefined;
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={handleSubmit(attempt.mutate)}>
        <h1>{texts.product}</h1>
        {name === undefined ? null : <IssuerButton name={name} />}
        <p className="muted">
          {name === undefined
            ? 'Sign in with the token of your credential. The token is sent once and not kept in the browser.'
            : 'Or sign in with the token of your credential. It is sent once and not kept in the browser.'}
        </p>
        <TextField
          label="Token"
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
          Sign in
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
        {`Sign in with ${name}`}
      </Button>
      <ProblemNotice error={leave.error} />
    </>
  );
}

interface SignInByLinkProps {
  readonly code: string;
  /** Who is already signed in. */
  readonly person: Me | null;
  readonly onSignedIn: (me: Me | null) => void;
  readonly onLeave: () => void;
}

/** Asks for confirmation first: the sender of the link chose the account. */
export function SignInByLink({ code, person, onSignedIn, onLeave }: SignInByLinkProps) {
  const owner = useQuery({ queryKey: ['sign-in-link', code], queryFn: () => readLink(code), retry: false });
  const attempt = useMutation({ mutationFn: () => signInByCode(code), onSuccess: onSignedIn });
  if (owner.isPending) return <Loading />;
  const link = owner.data;
  return (
    <main className={styles.page}>
      <div className={styles.form}>
        <h1>{link === undefined ? texts.product : `Sign in as ${link.name}?`}</h1>
        <ProblemNotice error={owner.error ?? attempt.error} />
        {link === undefined ? null : (
          <>
            <p className="muted">{`This link signs you in with the role ${link.role}. If you did not ask for it, do not use it.`}</p>
            {person === null ? null : <p>{`You are signed in as ${person.name}. That session ends.`}</p>}
            <Button look="primary" isBusy={attempt.isPending} onClick={() => attempt.mutate()}>
              {`Sign in as ${link.name}`}
            </Button>
          </>
        )}
        <Button onClick={onLeave}>
          {person === null ? 'Sign in another way' : `Stay signed in as ${person.name}`}
        </Button>
      </div>
    </main>
  );
}
