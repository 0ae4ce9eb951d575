import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBookingSystem, startWebhookReceiver } from '@waiver-service/simulator';
import type { Answer, CallOptions } from './call.ts';
import { textAt } from './connected-host.ts';
import { PlantedSecrets } from './planted-secrets.ts';
import { startProgram } from './program.ts';

/** Secrets that are there before the host is; some with characters that JSON and addresses write otherwise. */
function plantSecrets() {
  const secrets = new PlantedSecrets();
  const random = () => randomBytes(18).toString('base64url');
  const plant = (name: string, start: string, end = '') => secrets.plant(name, `${start}${random()}${end}`);
  const encryptionKey = randomBytes(32);
  secrets.plantBytes('encryption key', encryptionKey);
  return {
    secrets,
    encryptionKey,
    adminToken: plant('admin token', 'admin.'),
    partnerKey: plant('partner apiKey', 'partner+key/'),
    formerPartnerKey: plant('former partner apiKey', 'former-key-'),
    information: {
      clientSecret: plant('account information', 'client+/', '"é'),
      nested: { list: [plant('nested information', 'nested+/', '"é')] },
    },
    headerValue: plant('webhook header value', 'header/'),
    basicPassword: plant('Basic password', 'password+/', '"é'),
    wrongKey: plant('wrong key', 'wrong-'),
  };
}

/**
 * A host that logs everything, with its database, secrets and partners: a booking system
 * and two receivers, one with a custom header and one with Basic Auth.
 */
export async function startPlantedHost() {
  const planted = plantSecrets();
  const { secrets, adminToken, encryptionKey, partnerKey, headerValue, basicPassword } = planted;
  const dataDir = mkdtempSync(join(tmpdir(), 'waiver-secrets-'));
  // The database's user must be able to pass through, where the tests run as root.
  chmodSync(dataDir, 0o711);
  const [system, headerReceiver, basicReceiver] = await Promise.all([
    startBookingSystem({ authHeaderName: 'api-key', apiKey: partnerKey, pathShape: 'path', form: 'current' }),
    startWebhookReceiver({ auth: { type: 'header', name: 'X-Own', value: headerValue } }),
    startWebhookReceiver({ auth: { type: 'basic', username: 'waivers', password: basicPassword } }),
  ]);
  const program = await startProgram({
    DATA_DIR: dataDir,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: `planted:${encryptionKey.toString('base64')}`,
    LOG_LEVEL: 'trace',
  });
  const leaks: string[] = [];
  return {
    ...planted,
    dataDir,
    program,
    system,
    receivers: [
      {
        receiver: headerReceiver,
        secret: headerValue,
        auth: { type: 'header', name: 'X-Own', value: headerValue },
      },
      {
        receiver: basicReceiver,
        secret: basicPassword,
        auth: { type: 'basic', username: 'waivers', password: basicPassword },
      },
    ],
    /** Secrets that responses exposed. */
    leaks,
    /** A call whose answer must show no secret that is planted by then. */
    async call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
      const answer = await program.call(method, path, body, options);
      const shown = secrets.shownIn(answer.text + JSON.stringify([...answer.headers]));
      leaks.push(...shown.map((name) => `${method} ${path.split('?')[0]} -> ${answer.status} shows ${name}`));
      return answer;
    },
    /** Takes a secret that an answer shows once: no other may show it from now on. */
    take: (name: string, { body }: Answer, field: string): string => secrets.plant(name, textAt(body, field)),
    async close() {
      await program.stop();
      await Promise.all([system.close(), headerReceiver.close(), basicReceiver.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type PlantedHost = Awaited<ReturnType<typeof startPlantedHost>>;
