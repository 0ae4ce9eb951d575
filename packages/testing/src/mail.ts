import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a server received it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly raw: string;
}

/** A mail server on 127.0.0.1 that takes everything, unless told otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData(stream, session, done) {
      text(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          raw,
        });
        done(null);
      }, done);
    },
    ...options,
  });
  // A client that gives up.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return {
    port: address.port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** How a host is to send its mail through a server on this machine. */
export const serverOnPort = (port: number) => ({
  server: { host: '127.0.0.1', port, secure: false, user: undefined, password: undefined },
  from: 'waivers@operator.example',
});

/** A mail as its reader sees it. */
interface DecodedMail {
  /** By lower-case name; the last of several. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

const bytesOf = (quoted: string) =>
  quoted
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8');

function decodedWords(value: string): string {
  const bytes = value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('latin1')
        : bytesOf(word.replaceAll('_', ' ')),
    );
  return utf8(bytes);
}

function partsOf(raw: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}

function contentOf(part: string): string {
  const { headers, body } = partsOf(part);
  const encoding = headers['content-transfer-encoding'] ?? '7bit';
  const decoded =
    encoding === 'base64'
      ? Buffer.from(body, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? utf8(bytesOf(body))
        : body;
  return decoded.replaceAll('\r\n', '\n');
}

/** Reads a mail of the service: plain text and HTML, or plain text. */
export function decodedMail(raw: string): DecodedMail {
  const { headers, body } = partsOf(raw);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  const parts =
    boundary === undefined ? [raw] : body.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, ''));
  const of = (type: string) => {
    const found = parts.find((part) => partsOf(part).headers['content-type']?.startsWith(type));
    return found === undefined ? '' : contentOf(found);
  };
  return { headers, text: of('text/plain'), html: of('text/html') };
}
