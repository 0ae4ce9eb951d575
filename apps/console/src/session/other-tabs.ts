import { useEffect } from 'react';
import { endSession } from '../api/client.ts';
import type { Me } from '../api/resources.ts';
import { readMe } from './session-api.ts';

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
export function useSignInsElsewhere(person: Me | null | undefined, onSignedIn: (signedIn: Me) => void): void {
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
