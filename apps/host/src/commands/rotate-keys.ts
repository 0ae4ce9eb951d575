import type { KeyRotation } from '@waiver-service/database';
import { rotateEncryptionKeys } from '@waiver-service/store';
import { features } from '../features.ts';
import { existingEncryptionKeys } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { type CommandOutput, stopOnSignal, withDatabase } from './command-output.ts';

const values = (count: number) => (count === 1 ? '1 value' : `${count} values`);

/** The result of a rotation, in sentences, and whether the old keys are no longer needed. */
export function describeRotation(
  { currentKeyId, reencrypted, lost, uses }: KeyRotation,
  keyIds: readonly string[],
): { readonly sentences: readonly string[]; readonly complete: boolean } {
  const usesOf = (id: string) => uses.find(({ keyId }) => keyId === id)?.values ?? 0;
  const formerKeys = keyIds.filter((id) => id !== currentKeyId);
  const sentences = [
    `Re-encrypted ${values(reencrypted)} with the key "${currentKeyId}", which now encrypts ${values(usesOf(currentKeyId))}.`,
    ...lost.map(({ where, reason }) => `Cannot be read, and was left as it is: ${where} (${reason}).`),
    ...formerKeys.map((id) =>
      usesOf(id) === 0
        ? `The key "${id}" encrypts nothing any more. When every host has been started with "${currentKeyId}" in front, it may leave ENCRYPTION_KEYS. Keep it with the backups that it encrypted.`
        : `The key "${id}" still encrypts ${values(usesOf(id))}. If a host runs that has it in front, restart that one with "${currentKeyId}" in front; then run this command again.`,
    ),
  ];
  return { sentences, complete: lost.length === 0 && formerKeys.every((id) => usesOf(id) === 0) };
}

/** Encrypts every secret with the first encryption key. */
export function rotateKeys(settings: HostSettings, { print, note }: CommandOutput): Promise<number> {
  const encryptionKeys = existingEncryptionKeys(settings);
  return withDatabase(settings, note, async ({ url }) => {
    const rotation = await stopOnSignal((signal) =>
      rotateEncryptionKeys({
        features,
        databaseUrl: url,
        encryptionKeys,
        onProgress({ table, reencrypted }) {
          signal.throwIfAborted();
          note(`re-encrypted ${values(reencrypted)}, now in ${table}`);
        },
      }),
    );
    const { sentences, complete } = describeRotation(
      rotation,
      encryptionKeys.map(({ id }) => id),
    );
    for (const sentence of sentences) print(sentence);
    return complete ? 0 : 1;
  });
}
