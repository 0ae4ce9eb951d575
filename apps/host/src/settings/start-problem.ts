import { UnsuitableDatabase } from '@waiver-service/database';
import type { ListenError } from '@waiver-service/integration';

/** Why the host cannot start, in a sentence that names the setting and contains no secret. */
class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** The relevant fields of a system or database driver error. */
interface SystemError {
  readonly message: string;
  readonly code: string;
  /** The address with its port, the socket or the name. */
  readonly target: string;
  readonly path: string;
  /** `FATAL` if PostgreSQL ended the connection. */
  readonly severity: string;
}

function systemErrorOf(error: unknown): SystemError {
  // Contains one error for each address of the host name.
  if (error instanceof AggregateError && error.errors.length > 0) return systemErrorOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  const field = (name: string): string => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const address = field('address') || field('hostname');
  const port = field('port');
  const host = address.includes(':') && port !== '' ? `[${address}]` : address;
  const target = port === '' ? host : `${host}:${port}`;
  return {
    message,
    code: field('code'),
    target: target || 'its address',
    path: field('path'),
    severity: field('severity'),
  };
}

type Sentence = (error: SystemError) => string;

const noAnswer: Sentence = ({ target }) =>
  `there is no answer from ${target}. Is the address right, and does nothing between (a firewall) keep connections out? The program that listens there may not be PostgreSQL`;
const notPostgres: Sentence = ({ message }) =>
  `what listens there does not answer as PostgreSQL does (${message}). Is the port right?`;
const notTrusted: Sentence = ({ message }) =>
  `the server's certificate is not trusted (${message}). Set NODE_EXTRA_CA_CERTS to the file of the authority that signed it`;

const grants =
  "It must own the service's tables, or may create them: GRANT CONNECT ON DATABASE … TO …; GRANT CREATE, USAGE ON SCHEMA public TO …";

// By the code of the operating system, of TLS or of PostgreSQL (SQLSTATE).
const databaseSentences: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: ({ target }) =>
    `nothing takes connections at ${target} (connection refused). Is PostgreSQL running there, and is the port right?`,
  ENOENT: ({ target }) =>
    `there is no socket ${target}. Is PostgreSQL running, with its socket in that folder?`,
  EACCES: ({ target }) => `this user may not use the socket ${target}`,
  ENOTFOUND: ({ target }) => `the host name ${target} does not exist`,
  EAI_AGAIN: ({ target }) =>
    `the name ${target} cannot be looked up at the moment: does the name server answer?`,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ECONNRESET: notPostgres,
  EPROTO: notPostgres,
  ERR_INVALID_URL: () =>
    'it cannot be read as an address. Characters such as @ / # % in the password must be percent-encoded, and a port is at most 65535',
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  CERT_HAS_EXPIRED: ({ message }) => `the server's certificate has expired (${message})`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ message }) =>
    `the server's certificate is another host's (${message}). Use the name that stands in it`,
  '28P01': ({ message }) => `PostgreSQL does not accept the user or the password (${message})`,
  '28000': ({ message }) =>
    `PostgreSQL does not let this user in (${message}). See its pg_hba.conf; if it takes encrypted connections only, add sslmode=verify-full`,
  '3D000': ({ message }) =>
    `there is no such database (${message}). Create it (createdb), or correct the name`,
  '3F000': ({ message }) => `the user has no schema to use (${message}). ${grants}`,
  '42501': ({ message }) => `the user may not do what the service needs (${message}). ${grants}`,
  '25006': ({ message }) =>
    `the database is read-only (${message}): it may be a replica, so name the primary; or default_transaction_read_only is on for the database or the role, so reset it`,
  '53300': ({ message }) =>
    `PostgreSQL has no connection free (${message}). A host needs 12: raise max_connections or the CONNECTION LIMIT of the role or the database, or end other programs`,
  '55000': ({ message }) => `the database accepts no connections (${message}). See ALLOW_CONNECTIONS`,
  '08P01': ({ message }) =>
    `PostgreSQL, or a connection pooler before it, refuses the connection (${message}). Use the address of PostgreSQL itself`,
  '57P03': ({ message }) => `PostgreSQL is not ready yet (${message}). Start the host again in a moment`,
};

// Errors of the driver itself have no code.
const driverSentences: readonly (readonly [says: RegExp, Sentence])[] = [
  [/timeout/, noAnswer],
  [
    /does not support SSL/,
    () => 'the server takes no TLS: leave sslmode out, or switch TLS on in PostgreSQL',
  ],
  [/client password must be/, () => 'PostgreSQL asks for a password, and there is none in it'],
  [/terminated unexpectedly|SSL connection|Received unexpected|Unknown message/i, notPostgres],
];

function databaseSentence(cause: unknown): string | undefined {
  if (cause instanceof UnsuitableDatabase) return cause.message;
  const error = systemErrorOf(cause);
  const sentence =
    databaseSentences[error.code] ?? driverSentences.find(([says]) => says.test(error.message))?.[1];
  if (sentence !== undefined) return sentence(error);
  if (error.code.startsWith('ERR_SSL_')) return `no TLS connection can be made (${error.message})`;
  return error.severity === 'FATAL' ? `PostgreSQL refuses the connection (${error.message})` : undefined;
}

/** Explains why the database cannot be used. Errors that explain themselves are returned as they are. */
export function databaseProblem(cause: unknown): unknown {
  const sentence = databaseSentence(cause);
  return sentence === undefined
    ? cause
    : new StartProblem(`DATABASE_URL: ${sentence.replace(/[^?]$/, '$&.')}`, { cause });
}

const folderSentences: Readonly<Record<string, string>> = {
  EACCES: 'the user that starts the host may not write there',
  EPERM: 'the user that starts the host may not write there',
  EROFS: 'it is on a file system that can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'there is a file where a folder should be',
  EEXIST: 'there is a file where a folder should be',
  ENOENT: 'no folder can be made there',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its symbolic links lead in a circle',
};

/** Explains why `DATA_DIR` cannot be used. Other errors are returned as they are. */
export function folderProblem(cause: unknown, dataDir: string): unknown {
  const { code, path } = systemErrorOf(cause);
  const sentence = folderSentences[code];
  if (sentence === undefined) return cause;
  const where = path === '' || path === dataDir ? dataDir : `${dataDir} (at ${path})`;
  return new StartProblem(
    `DATA_DIR: ${where} cannot be used: ${sentence} (${code}). Give the host a folder that it can write.`,
    { cause },
  );
}

/** Explains why the host cannot listen. Other errors are returned as they are. */
export function listenProblem({ setting, address: { host, port }, cause }: ListenError): unknown {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `${setting}: another program listens on port ${port} of ${host} already. End that one, or set ${setting} to a free port (0 takes any).`,
    EACCES: `${setting}: the user that starts the host may not listen on port ${port}. Set ${setting} to one from 1024 on.`,
    EADDRNOTAVAIL: `HOST: ${host} is no address of this machine.`,
    ENOTFOUND: `HOST: the host name ${host} does not exist.`,
    EAI_AGAIN: `HOST: the name ${host} cannot be looked up.`,
  };
  const sentence = sentences[systemErrorOf(cause).code];
  return sentence === undefined ? cause : new StartProblem(sentence, { cause });
}
