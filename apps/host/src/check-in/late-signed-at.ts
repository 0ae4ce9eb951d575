import type { Store } from '@waiver-service/store';
import type { LateBody } from './late-signing.ts';

/**
 * When a signing that waited on a device was made, by the service's clock: the device's time, corrected by how far its
 * clock was off when the page last compared it. Never later than its arrival, nor before the guest could have signed.
 * A page of an earlier version made no comparison: its claim counts within the same bounds, as it did then.
 *
 * @param since - when the link was made or the kiosk was paired, if it is known
 */
export async function lateSignedAt(
  { forms }: Pick<Store, 'forms'>,
  pool: string,
  { signing, clockAheadMs = 0 }: Pick<LateBody, 'signing' | 'clockAheadMs'>,
  { since, receivedAt }: { readonly since: Date | null; readonly receivedAt: Date },
): Promise<Date> {
  if (signing === undefined) return receivedAt;
  const version = await forms.version(pool, signing.form, signing.version);
  const earliest = Math.max(since?.getTime() ?? 0, version?.publishedAt.getTime() ?? 0);
  const signedAt = Math.max(Date.parse(signing.times.signedAt) - clockAheadMs, earliest);
  return new Date(Math.min(signedAt, receivedAt.getTime()));
}
