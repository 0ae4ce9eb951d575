import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StampAuthority {
  /** Its root certificate. */
  readonly certificate: string;
  readonly folder: string;
  /** Answers a request (DER) as a stamp server does. */
  reply(request: Uint8Array): Buffer;
  openssl(...args: readonly string[]): string;
  close(): void;
}

export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const settings = ({ digest, usage }: Kind) => `
[ req ]
distinguished_name = name
x509_extensions = extensions
prompt = no
[ name ]
CN = Test time stamps
[ extensions ]
basicConstraints = critical, CA:FALSE
extendedKeyUsage = ${usage}
[ tsa ]
default_tsa = tsa1
[ tsa1 ]
serial = serial
signer_cert = certificate.pem
signer_key = key.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ordering = no
tsa_name = no
ess_cert_id_alg = ${digest}
`;

interface Kind {
  /** Of the certificate, in the attribute that names it: SHA-1 is named in the older one. */
  readonly digest: 'sha1' | 'sha256' | 'sha512';
  readonly usage: string;
  readonly key: readonly string[];
}
const usual: Kind = {
  digest: 'sha256',
  usage: 'critical, timeStamping',
  key: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
};

/** A stamp server made of OpenSSL. */
export function openStampAuthority(differing: Partial<Kind> = {}): StampAuthority {
  const kind = { ...usual, ...differing };
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-stamps-'));
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  writeFileSync(join(folder, 'openssl.cnf'), settings(kind));
  writeFileSync(join(folder, 'serial'), '01\n');
  openssl(
    ...['req', '-x509', '-newkey', ...kind.key, '-nodes', '-days', '2'],
    ...['-config', 'openssl.cnf', '-keyout', 'key.pem', '-out', 'certificate.pem'],
  );
  return {
    certificate: join(folder, 'certificate.pem'),
    folder,
    reply(request) {
      writeFileSync(join(folder, 'request.tsq'), request);
      openssl(
        ...['ts', '-reply', '-config', 'openssl.cnf', '-section', 'tsa1'],
        ...['-queryfile', 'request.tsq', '-out', 'answer.tsr'],
      );
      return readFileSync(join(folder, 'answer.tsr'));
    },
    openssl,
    close: () => rmSync(folder, { recursive: true }),
  };
}
