import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { compareClocks, consoleHeader, endSession, onSessionEnd, problemOf } from '../api/client.ts';
import type { Me, Role } from '../api/resources.ts';
import { Button } from '../components/button.tsx';
import { handleSubmit, TextField } from '../components/field.tsx';
import { Loading, ProblemNotice } from '../components/notice.tsx';
import { texts } from '../text/english.ts';
import styles from './sign-in.module.css';

const sessionUrl = '/console/api/session';
const signInUrl = '/console/api/sign-in';

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...consoleHeader, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Who is signed in; null if signed out. Rejects with an `ApiProblem`. */
async function readMe(): Promise<Me | null> {
  const response = await fetch('/v1/admin/me', { headers: consoleHeader });
  compareClocks(response);
  if (response.status === 401) return null;
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** The hostname of the OpenID Connect issuer; undefined if none is configured. Rejects with an `ApiProblem`. */
async function readIssuerName(): Promise<string | undefined> {
  const response = await call('GET', signInUrl);
  const { issuer }: { issuer: { name: string } | null } = await response.json();
  return issuer?.name;
}

/** Redirects to the issuer, which returns to the current page. Rejects with an `ApiProblem`. */
async function signInByIssuer(): Promise<void> {
  const response = await call('POST', signInUrl, { landing: `${location.pathname}${location.search}` });
  const { url }: { url: string } = await response.json();
  location.assign(url);
}

/** Signs in with a token, which is sent once and not stored. Rejects with an `ApiProblem`. */
async function signIn(token: string): Promise<Me | null> {
  await call('POST', sessionUrl, { token });
  return readMe();
}

/** The person whom a sign-in link signs in. */
type LinkOwner = Pick<Me, 'name' | 'role'>;

/**
 * The code of a sign-in link, from the URL's fragment: the browser does not send it with the page request, so that it
 * appears in no log.
 */
const codeInAddress = (): string | undefined => /^#code=([\w.-]+)$/.exec(location.hash)?.[1];

/** Removes the code from the URL and the history. */
function hideCode(): void {
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** The person whom a link would sign in, without using it up. Rejects with an `ApiProblem`. */
async function readLink(code: string): Promise<LinkOwner> {
  const response = await call('POST', '/console/api/sign-in-link', { code });
  return response.json();
}

/** Signs in with a link's code, which works once. Rejects with an `ApiProblem`. */
async function signInByCode(code: string): Promise<Me | null> {
  await call('POST', sessionUrl, { code });
  return readMe();
}

async function signOut(): Promise<void> {
  await call('DELETE', sessionUrl);
}

async function compareWith(person: Me | null, onSignedIn: (signedIn: Me) => void): Promise<void> {
  const found = await readMe();
  if (JSON.stringify(found) === JSON.stringify(person)) return;
  if (found === null) endSession();
  // Keeps the form that was edited when the session ended.
  else if (person === null) onSignedIn(found);
  // Nothing of the former person may stay: neither responses nor changes that wait for the network.
  else location.reload();
}

/**
 * Asks who is signed in whenever the tab is looked at: another tab may have signed someone else in since, or someone.
 * @param person - null: no one; undefined: not known, or not to be compared
 * @param onSignedIn - called if no one was signed in before
 */
function useSignInsElsewhere(person: Me | null | undefined, onSignedIn: (signedIn: Me) => void): void {
  useEffect(() => {
    if (person === undefined) return;
    const look = () => {
      // Where the host does not respond, the next look tells.
      if (document.visibilityState === 'visible') compareWith(person, onSignedIn).catch(() => {});
    };
    // Of two windows side by side, both stay visible; a tab may come to the front without the focus.
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [person, onSignedIn]);
}

interface Session {
  readonly me: Me;
  /** Whether the person has at least this role. Hides actions only; the host enforces roles. */
  may(role: Role): boolean;
  signOut(): Promise<void>;
}

const SessionContext = createContext<Session | undefined>(undefined);
const rank: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, owner: 2 };

/** The signed-in person's session. Only within {@link SignedIn}. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession is used outside of SignedIn');
  return session;
}

const meKey = ['me'];

function forgetSession(queries: QueryClient): void {
  void queries.cancelQueries();
  queries.setQueryData(meKey, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] });
}

/** Shows the sign-in page until someone is signed in, then `children`. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [code, setCode] = useState(codeInAddress);
  useEffect(() => {
    if (code !== undefined) hideCode();
  }, [code]);
  const me = useQuery({
    queryKey: meKey,
    queryFn: readMe,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    onSessionEnd(() => forgetSession(queries));
    return () => onSessionEnd(() => {});
  }, [queries]);

  // While a link asks whether to sign in as someone else, the answer decides.
  const signIn = useCallback((signedIn: Me | null) => void queries.setQueryData(meKey, signedIn), [queries]);
  useSignInsElsewhere(code === undefined ? me.data : undefined, signIn);

  if (me.isPending) return <Loading />;
  if (me.error !== null) return <ProblemNotice error={me.error} retry={() => void me.refetch()} />;
  const person = me.data;
  if (code !== undefined) {
    const onSignedIn = (signedIn: Me | null) => {
      // The new person must not see responses cached for the previous one.
      forgetSession(queries);
      queries.setQueryData(meKey, signedIn);
      setCode(undefined);
    };
    return <SignInByLink {...{ code, person, onSignedIn }} onLeave={() => setCode(undefined)} />;
  }
  if (person === null) return <SignIn onSignedIn={signIn} />;
  const session: Session = {
    me: person,
    may: (role) => rank[person.role] >= rank[role],
    async signOut() {
      await signOut();
      forgetSession(queries);
    },
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Asks for a credential's token, and offers sign-in through the issuer if one is configured. */
function SignIn({ onSignedIn }: { readonly onSignedIn: (me: Me | null) => void }) {
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
function SignInByLink({ code, person, onSignedIn, onLeave }: SignInByLinkProps) {
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
