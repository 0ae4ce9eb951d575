import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

export interface TokenContent {
  readonly hash: string;
  readonly nonce: string;
  readonly time?: string;
  readonly serial?: string;
  /** Object identifiers in hex, without tag and length. */
  readonly type?: string;
  readonly contentType?: string;
  readonly algorithm?: string;
  /** The element that is left out, by the name that an error has for it. */
  readonly without?: string;
  /** The extended key usage of the certificate, as the extension in hex. */
  readonly usage?: string;
  /** The attributes that name the certificate. */
  readonly names?: (certificate: Buffer) => readonly Buffer[];
}

/** An element of DER; text is hex. */
export function der(tag: number, ...content: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((one) => (typeof one === 'string' ? Buffer.from(one, 'hex') : one)));
  const { length: n } = body;
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n % 256];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const authority = der(0x30, der(0x31, der(0x30, der(6, '550403'), der(12, Buffer.from('Anyone')))));

/** Critical, and for time stamps only. */
const stampUsage = '30160603551d250101ff040c300a06082b06010505070308';

/** The attribute that names a certificate by a hash of it. */
export function namedBy(digest: string, certificate: Buffer, algorithm?: string): Buffer {
  const hash = der(4, createHash(digest).update(certificate).digest());
  const type = digest === 'sha1' ? '2a864886f70d010910020c' : '2a864886f70d010910022f';
  const id = der(0x30, ...(algorithm === undefined ? [] : [der(0x30, der(6, algorithm))]), hash);
  return der(0x30, der(6, type), der(0x31, der(0x30, der(0x30, id))));
}

/** A token with the members of one of RFC 3161, signed by a key of the test. */
export function tokenOf({
  hash,
  nonce,
  time = '20261124100000Z',
  serial = '01',
  type = '2a864886f70d010702',
  contentType = '2a864886f70d0109100104',
  algorithm = '608648016503040201',
  without = '',
  usage = stampUsage,
  names = (named) => [namedBy('sha256', named)],
}: TokenContent): Buffer {
  const certificate = certificateFor(usage);
  const named = (name: string, ...element: Parameters<typeof der>) =>
    name === without ? Buffer.alloc(0) : der(...element);
  const imprint = named(
    ...(['imprint', 0x30] as const),
    der(0x30, named('algorithm', 6, algorithm), der(5)),
    named('hash', 4, hash),
  );
  const accuracy = der(0x30, der(2, '01'));
  const at = named('time', 0x18, Buffer.from(time));
  const info = der(
    0x30,
    der(2, '01'),
    der(6, '2a0304'),
    imprint,
    der(2, serial),
    at,
    accuracy,
    der(2, nonce),
  );
  const content = named(
    ...(['content of the token', 0x30] as const),
    named('type of content', 6, contentType),
    named('time stamp', 0xa0, der(4, info)),
  );
  const attributes = [
    der(0x30, der(6, '2a864886f70d010903'), der(0x31, der(6, '2a864886f70d0109100104'))),
    der(0x30, der(6, '2a864886f70d010904'), der(0x31, der(4, createHash('sha256').update(info).digest()))),
    ...names(certificate),
  ];
  const signer = der(
    0x30,
    der(2, '01'),
    der(0x30, authority, der(2, '01')),
    der(0x30, der(6, '608648016503040201')),
    der(0xa0, ...attributes),
    der(0x30, der(6, '2b6570')),
    der(4, sign(null, der(0x31, ...attributes), privateKey)),
  );
  const parts = [der(2, '03'), der(0x31), content, der(0xa0, certificate), der(0x31, signer)];
  const signed = named('signed data', 0x30, ...parts);
  return der(0x30, named('type', 6, type), named('content', 0xa0, signed));
}

/** A certificate that anyone can make. */
function certificateFor(usage: string): Buffer {
  const algorithm = der(0x30, der(6, '2b6570'));
  const validity = der(
    0x30,
    der(0x17, Buffer.from('260101000000Z')),
    der(0x17, Buffer.from('460101000000Z')),
  );
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const extensions = der(0xa3, der(0x30, usage));
  const content = der(
    ...([0x30, der(0xa0, der(2, '02')), der(2, '01'), algorithm] as const),
    ...[authority, validity, authority, key, extensions],
  );
  return der(0x30, content, algorithm, der(3, '00', sign(null, content, privateKey)));
}

/** The answer of a stamp server: the status in hex, its words with an element that is no text, and the token. */
export function answerOf(content: TokenContent, status = '00', ...words: readonly string[]): Buffer {
  const texts = words.map((word) => der(12, Buffer.from(word)));
  return der(0x30, der(0x30, der(2, status), der(0x30, ...texts, der(4, 'ff'))), tokenOf(content));
}

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
