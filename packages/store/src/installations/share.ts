import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import { narrowPermission } from '../destinations/narrow-permission.ts';
import { lockInstallation } from './lock-installation.ts';

export interface ShareRequest {
  readonly pool: string;
  readonly bookingSystem: string;
  /** Unchanged if omitted. */
  readonly shareProperties?: readonly string[] | undefined;
  /** Unchanged if omitted. */
  readonly shareDocument?: boolean | undefined;
  readonly allowedBy: string;
}

/** Everything that may be sent: answers by name, and the document as the empty name, which no answer has. */
const allowed = (answers: readonly string[], document: boolean) => (document ? [...answers, ''] : answers);

/**
 * Sets which answers Guest Updates contain and whether they include the signed document, and records who allowed it.
 *
 * @returns the destination if less may be sent to it than before
 */
export async function share(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, allowedBy, ...request }: ShareRequest,
): Promise<string | undefined> {
  const former = await lockInstallation(transaction, pool, bookingSystem);
  if (former === undefined || former.status === 'uninstalled') return undefined;
  const { shareProperties = former.shareProperties, shareDocument = former.shareDocument } = request;
  await transaction
    .updateTable('installation')
    .set({
      shareProperties,
      shareDocument,
      shareAllowedBy: allowedBy,
      shareAllowedAt: currentTime,
      updatedAt: currentTime,
    })
    .where('pool', '=', pool)
    .where('bookingSystem', '=', bookingSystem)
    .execute();
  const destination = former.destinationId;
  const before = allowed(former.shareProperties, former.shareDocument);
  const change = { destination, before, after: allowed(shareProperties, shareDocument) };
  return (await narrowPermission(transaction, change)) ? destination : undefined;
}
