import { useEffect } from 'react';
import { endSession } from '../api/client.ts';
import type { Me } from '../api/resources.ts';
import { readMe } from './session-api.ts';

async function compareWith(person: Me): Promise<void> {
  const found = await readMe();
  if (found === null) endSession();
  // Nothing of the former person may stay: neither responses nor changes that wait for the network.
  else if (JSON.stringify(found) !== JSON.stringify(person)) location.reload();
}

/** Asks who is signed in whenever the tab is looked at: its cookie may be another person's since, by another tab. */
export function useSignInsElsewhere(person: Me | null | undefined): void {
  useEffect(() => {
    if (person === null || person === undefined) return;
    const look = () => {
      // Where the host does not respond, the next look tells.
      if (document.visibilityState === 'visible') compareWith(person).catch(() => {});
    };
    // Of two windows side by side, both stay visible; a tab may come to the front without the focus.
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [person]);
}
