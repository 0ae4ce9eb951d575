import { serviceNow } from '../host/clock.ts';
import type { CheckInSession } from '../host/session.ts';
import { database } from './database.ts';

async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Stores a link's session until the link ends, to open it offline; deletes those of ended links. */
export async function keepSession(token: string, session: CheckInSession, until: string): Promise<void> {
  const now = serviceNow().toISOString();
  for (const { link, until: end } of await database.all('sessions'))
    if (end < now) await database.remove('sessions', link);
  await database.put('sessions', { link: await hashOf(token), session: JSON.stringify(session), until });
}

/** The stored session of a link, if it was opened on this device before and has not ended. */
export async function readKeptSession(token: string): Promise<CheckInSession | undefined> {
  const kept = await database.get('sessions', await hashOf(token));
  return kept === undefined || kept.until < serviceNow().toISOString() ? undefined : JSON.parse(kept.session);
}

/** Deletes the session of a link that was revoked or has ended. */
export const forgetSession = async (token: string): Promise<void> =>
  database.remove('sessions', await hashOf(token));
