import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { onSessionEnd } from '../api/client.ts';
import type { Me, Role } from '../api/resources.ts';
import { Loading, ProblemNotice } from '../components/notice.tsx';
import { useSignInsElsewhere } from './other-tabs.ts';
import { codeInAddress, hideCode, readMe, signOut } from './session-api.ts';
import { SignIn } from './sign-in.tsx';
import { SignInByLink } from './sign-in-by-link.tsx';

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
