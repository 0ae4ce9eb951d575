import { type BackupProgress, type WrittenBackup, writeBackup } from '@waiver-service/store';
import { encryptionKeysFile, existingEncryptionKeys } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { withDatabase } from './command-database.ts';
import { type CommandOutput, inBytes, stopOnSignal } from './command-output.ts';

const noteEveryMs = 2_000;

/** Says how far a backup or a restore is, now and then. */
export function progressNotes(note: CommandOutput['note']): (progress: BackupProgress) => void {
  let notedAt = performance.now();
  return ({ table, number, tables, bytes }) => {
    if (performance.now() - notedAt < noteEveryMs) return;
    notedAt = performance.now();
    note(`table ${number} of ${tables}, ${table}: ${inBytes(bytes)} so far`);
  };
}

/** The result, and what has to be kept with the file. */
function describeBackup(
  { file, takenAt, tables, rows, fileBytes, keyId }: WrittenBackup,
  keyFile: string | undefined,
): readonly string[] {
  return [
    `Backed up ${rows.toLocaleString('en')} rows of ${tables} tables, as of ${takenAt.toISOString()}, to ${file} (${inBytes(fileBytes)}).`,
    `It opens with the key "${keyId}" of ${keyFile ?? 'ENCRYPTION_KEYS'} alone, which is not in it: keep that key in another place than the backup.`,
  ];
}

/** Writes a backup. */
export function backUp(
  settings: HostSettings,
  file: string,
  { print, note }: CommandOutput,
): Promise<number> {
  const encryptionKeys = existingEncryptionKeys(settings);
  return withDatabase(settings, note, async ({ url }) => {
    const backup = await stopOnSignal((signal) =>
      writeBackup({ databaseUrl: url, encryptionKeys, file, onProgress: progressNotes(note), signal }),
    );
    const keyFile = settings.encryptionKeys === undefined ? encryptionKeysFile(settings) : undefined;
    for (const sentence of describeBackup(backup, keyFile)) print(sentence);
    return 0;
  });
}
