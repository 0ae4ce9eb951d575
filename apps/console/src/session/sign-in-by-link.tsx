import { useMutation, useQuery } from '@tanstack/react-query';
import type { Me } from '../api/resources.ts';
import { Button } from '../components/button.tsx';
import { Loading, ProblemNotice } from '../components/notice.tsx';
import { texts } from '../text/english.ts';
import { readLink, signInByCode } from './session-api.ts';
import styles from './sign-in.module.css';

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
        <h1>{link === undefined ? texts.product : texts.signIn.asWhom(link.name)}</h1>
        <ProblemNotice error={owner.error ?? attempt.error} />
        {link === undefined ? null : (
          <>
            <p className="muted">{texts.signIn.linkLead(link.role)}</p>
            {person === null ? null : <p>{texts.signIn.endsSession(person.name)}</p>}
            <Button look="primary" isBusy={attempt.isPending} onClick={() => attempt.mutate()}>
              {texts.signIn.as(link.name)}
            </Button>
          </>
        )}
        <Button onClick={onLeave}>
          {person === null ? texts.signIn.otherWay : texts.signIn.stay(person.name)}
        </Button>
      </div>
    </main>
  );
}
