import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EncryptionKey } from '@waiver-service/database';
import { makeFolder } from '@waiver-service/embedded-postgres';
import { adminTokenSchema, encryptionKeysSchema, SettingsError } from './environment-fields.ts';
import type { HostSettings } from './host-settings.ts';

/** The host's own secrets, from the environment or from `DATA_DIR`. */
export interface HostSecrets {
  readonly adminToken: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  /** The file that contains the admin token; `undefined` if the environment sets it. */
  readonly adminTokenFile: string | undefined;
}

/** The file of the generated encryption keys. */
export const encryptionKeysFile = ({ dataDir }: HostSettings) => join(dataDir, 'encryption-keys');

// Written under another name and then linked: a killed host leaves no partial secret, and of two hosts that start at
// once, both read the one that was linked first.
function readOrGenerate(file: string, generate: () => string): string {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${generate()}\n`, { mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}

const damaged = (file: string) => `${file} is damaged: put it back, or set the variable instead.`;

function secretOf<Value>(
  file: string,
  schema: { safeParse(text: string): { success: true; data: Value } | { success: false } },
  generate: () => string,
): Value {
  const parsed = schema.safeParse(readOrGenerate(file, generate));
  if (!parsed.success) throw new SettingsError(damaged(file));
  return parsed.data;
}

/**
 * The encryption keys of an existing database, which only its first host generates.
 *
 * @throws SettingsError
 */
export function existingEncryptionKeys(settings: HostSettings): readonly EncryptionKey[] {
  if (settings.encryptionKeys !== undefined) return settings.encryptionKeys;
  const file = encryptionKeysFile(settings);
  if (!existsSync(file)) {
    throw new SettingsError(
      `ENCRYPTION_KEYS is not set, and there is no ${file}: set it, or restore the file from your backup.`,
    );
  }
  const parsed = encryptionKeysSchema.safeParse(readFileSync(file, 'utf8').trim());
  if (!parsed.success) throw new SettingsError(damaged(file));
  return parsed.data;
}

/**
 * The mode of a new `DATA_DIR`. Root's can be traversed but not listed: PostgreSQL runs as another user, who must reach
 * its own folder in there (mode 0700).
 */
export const dataDirMode = () => (process.getuid?.() === 0 ? 0o711 : 0o700);

/**
 * The host's secrets. Those that the environment does not set are read from `DATA_DIR`, and created there (mode 0600)
 * at the first start.
 */
export function hostSecrets(settings: HostSettings): HostSecrets {
  const { dataDir, adminToken, encryptionKeys } = settings;
  if (adminToken !== undefined && encryptionKeys !== undefined) {
    return { adminToken, encryptionKeys, adminTokenFile: undefined };
  }
  makeFolder(dataDir, dataDirMode());
  const adminTokenFile = join(dataDir, 'admin-token');
  const generateKey = () => `k${Date.now().toString(36)}:${randomBytes(32).toString('base64')}`;
  return {
    adminToken:
      adminToken ??
      secretOf(adminTokenFile, adminTokenSchema, () => `wsa_${randomBytes(32).toString('base64url')}`),
    encryptionKeys:
      encryptionKeys ?? secretOf(encryptionKeysFile(settings), encryptionKeysSchema, generateKey),
    adminTokenFile: adminToken === undefined ? adminTokenFile : undefined,
  };
}
