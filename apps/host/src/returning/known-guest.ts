import type { UsedCheckInLink } from '@waiver-service/store';
import type { LinkedBooking } from '../check-in/link-booking.ts';
import type { Store } from '../given.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { guestOfLink, type KnownGuest } from './returning-people.ts';

interface ProofBody {
  readonly email?: string | undefined;
  readonly proof?: string | undefined;
}

const proofEnded = () =>
  new HttpProblem(
    403,
    'proof_ended',
    'The e-mail address is not proven, or was too long ago: ask for another code.',
  );

/**
 * The guest who makes a request, known by a proven address or by the link.
 * @throws HttpProblem 403 `proof_ended`
 */
export async function knownGuest(
  { store }: { readonly store: Store },
  link: UsedCheckInLink,
  linked: LinkedBooking | undefined,
  { email, proof }: ProofBody,
): Promise<KnownGuest | undefined> {
  if (proof === undefined) return guestOfLink(link, linked);
  const address = { pool: link.pool, link: link.id, email: email ?? '' };
  if (!(await store.returningCodes.isProven(address, proof))) throw proofEnded();
  return { email: address.email, proof: 'code' };
}
