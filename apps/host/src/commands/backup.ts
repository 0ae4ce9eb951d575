import {
  type BackupProgress,
  type RestoredBackup,
  restoreBackup,
  writeBackup,
} from '@waiver-service/operations/data';
import { features } from '../features.ts';
import { encryptionKeysFile, existingEncryptionKeys } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import {
  type CommandOutput,
  inBytes,
  printable,
  stopOnSignal,
  withDatabase,
  withNewDatabase,
} from './command-output.ts';

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

const noteEveryMs = 2_000;

/** Notes the progress of a backup or a restore every few seconds. */
export function progressNotes(note: CommandOutput['note']): (progress: BackupProgress) => void {
  let notedAt = performance.now();
  return ({ table, number, tables, bytes }) => {
    if (performance.now() - notedAt < noteEveryMs) return;
    notedAt = performance.now();
    note(`table ${number} of ${tables}, ${printable(table)}: ${inBytes(bytes)} so far`);
  };
}

export function backUp(
  settings: HostSettings,
  file: string,
  { print, note }: CommandOutput,
): Promise<number> {
  const encryptionKeys = existingEncryptionKeys(settings);
  return withDatabase(settings, note, async ({ url }) => {
    const { takenAt, tables, rows, fileBytes, keyId, ...backup } = await stopOnSignal((signal) =>
      writeBackup({
        databaseUrl: url,
        encryptionKeys,
        features,
        file,
        onProgress: progressNotes(note),
        signal,
      }),
    );
    const keys = settings.encryptionKeys === undefined ? encryptionKeysFile(settings) : 'ENCRYPTION_KEYS';
    print(
      `Backed up ${rows.toLocaleString('en')} rows of ${tables} tables, as of ${takenAt.toISOString()}, to ${backup.file} (${inBytes(fileBytes)}).`,
    );
    print(
      `Only the key "${keyId}" of ${keys} opens it, which is not in it: keep that key in another place than the backup.`,
    );
    return 0;
  });
}
