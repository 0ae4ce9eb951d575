import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@waiver-service/embedded-postgres';
import type { EncryptionKey } from '@waiver-service/store';
import { adminTokenSchema, encryptionKeysSchema } from './environment-fields.ts';
import type { HostSettings } from './host-settings.ts';
import { SettingsError } from './settings-error.ts';

/** The host's own secrets, from the environment or from `DATA_DIR`. */
export interface HostSecrets {
  readonly adminToken: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  /** The file that holds the admin token; `undefined` where the environment gave it. */
  readonly adminTokenFile: string | undefined;
}

// Written whole under another name and then linked: a host that is killed half way leaves no half secret, and of
// two hosts that start at once one wins and both read the same.
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

function secretOf<Value>(
  file: string,
  schema: { safeParse(text: string): { success: true; data: Value } | { success: false } },
  generate: () => string,
): Value {
  const parsed = schema.safeParse(readOrGenerate(file, generate));
  if (!parsed.success)
    throw new SettingsError(`${file} is damaged: put it back, or set the variable instead.`);
  return parsed.data;
}

/**
 * The mode of a new `DATA_DIR`. Root's may be passed through, not listed: PostgreSQL does not run as root, and the
 * user that it runs as must reach its own folder in there (which is 0700 again).
 */
export const dataDirMode = () => (process.getuid?.() === 0 ? 0o711 : 0o700);

/**
 * The host's secrets. What the environment does not give is read from `DATA_DIR`, and made there (mode 0600) at
 * the first start.
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
      encryptionKeys ?? secretOf(join(dataDir, 'encryption-keys'), encryptionKeysSchema, generateKey),
    adminTokenFile: adminToken === undefined ? adminTokenFile : undefined,
  };
}
