import { type BackupProgress, writeBackup } from '@waiver-service/operations/data';
import { features } from '../features.ts';
import { encryptionKeysFile, existingEncryptionKeys } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { type CommandOutput, inBytes, printable, stopOnSignal, withDatabase } from './command-output.ts';

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
