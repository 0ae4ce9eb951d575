import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { endSession, onSessionEnd } from '../api/client.ts';
import type { Me, Role } from '../api/resources.ts';
import { Loading, ProblemNotice } from '../components/notice.tsx';
import { codeInAddress, hideCode, readMe, signOut } from './session-api.ts';
import { SignIn, SignInByLink } from './sign-in.tsx';

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
