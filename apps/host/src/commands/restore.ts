import { type RestoredBackup, restoreBackup } from '@waiver-service/operations/data';
import { features } from '../features.ts';
import { existingEncryptionKeys } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { progressNotes } from './backup.ts';
import { type CommandOutput, stopOnSignal, withNewDatabase } from './command-output.ts';

const messages = (count: number) => (count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`);

/** The result, and what the next start of a host will do. */
export function describeRestore(
  { takenAt, rows, tables, postgres, migrated, leftOut, pending, keyUses }: RestoredBackup,
  keyIds: readonly string[],
): readonly string[] {
  const missing = keyUses.filter(({ keyId }) => !keyIds.includes(keyId));
  return [
    `Restored ${rows.toLocaleString('en')} rows of ${tables} tables, as of ${takenAt.toISOString()}, from PostgreSQL ${postgres}.`,
    ...(migrated.length > 0 ? [`Migrated on to this version: ${migrated.join(', ')}.`] : []),
    ...(leftOut.length > 0
      ? [
          `Left out, because the waiver service has no such table: ${leftOut.map((name) => JSON.stringify(name)).join(', ')}.`,
        ]
      : []),
    ...missing.map(
      ({ keyId, values }) =>
        `${values} secrets are encrypted with the key "${keyId}", which is not among ENCRYPTION_KEYS: add it before you start a host.`,
    ),
    `The next host that is started goes on sending: ${messages(pending)} waited when the backup was taken, and those that were sent since then are sent again. To look at the database without sending anything, start it with ROLE=api.`,
    'Keys, tokens and credentials that were revoked since then are valid again, and guests that were erased since then are back: revoke and erase them again.',
  ];
}

export function restore(
  settings: HostSettings,
  file: string,
  { print, note }: CommandOutput,
): Promise<number> {
  const encryptionKeys = existingEncryptionKeys(settings);
  return withNewDatabase(settings, note, async ({ url }) => {
    const restored = await stopOnSignal((signal) =>
      restoreBackup({
        databaseUrl: url,
        encryptionKeys,
        features,
        file,
        onProgress: progressNotes(note),
        signal,
      }),
    );
    const keyIds = encryptionKeys.map(({ id }) => id);
    for (const sentence of describeRestore(restored, keyIds)) print(sentence);
    return 0;
  });
}
