import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import { asciiAddress } from '@waiver-service/api';
import type { ServiceIdentifier } from 'inversify';
import type { MailServer } from './alerts-settings.ts';

export interface Mail {
  /** The same for each attempt, so that duplicates can be recognized. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The sender's name; "Waiver service" if omitted. */
  readonly fromName?: string;
  readonly replyTo?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once the server has accepted sender and recipient. If it rejects, the text is not sent. */
  readonly beforeText?: () => Promise<void>;
}

export interface Mailer {
  /** @returns the server's reply. @throws if the server refuses the mail or cannot be reached */
  send(mail: Mail, signal: AbortSignal): Promise<string>;
}
export const Mailer: ServiceIdentifier<Mailer | undefined> = Symbol('Mailer');

export interface MailerOptions {
  readonly server: MailServer;
  readonly from: string;
  readonly timeoutMs: number;
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function connectionOf({ server, timeoutMs }: MailerOptions) {
  const { host, port, secure, user } = server;
  const isLocal = isLoopback(host);
  // The name at EHLO: the library's own choice, unless that is no domain of a mail server.
  const name = /[^\0-\x7f]/.test(hostname()) ? { name: domainToASCII(hostname()) || 'localhost' } : {};
  return {
    ...name,
    host,
    port,
    secure,
    // A man in the middle may strip STARTTLS from the server's answer: never send a password in the clear.
    requireTLS: user !== undefined && !secure && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  };
}

// A line break would start another header; nodemailer removes it, too.
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ');

/** The text, read only once the server is ready for it; awaits `work` first. */
async function* textAfter(work: (() => Promise<void>) | undefined, content: Buffer): AsyncGenerator<Buffer> {
  await work?.();
  yield content;
}

/**
 * Loads nodemailer at once, for hosts that send mail: if it were loaded by the first mail, and the process had no file
 * handle free just then, Node.js would remember the failure, and no mail would leave until a restart.
 */
function preloadLibrary() {
  const loading = Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/smtp-connection'),
  ]).then(([{ default: MailComposer }, { default: SMTPConnection }]) => ({ MailComposer, SMTPConnection }));
  loading.catch(() => {});
  return loading;
}

/**
 * Creates a mailer. Each mail has its own connection, with one time limit for the whole exchange. The address guard for
 * calls to partners does not apply: like the database's, the server's address is the operator's own setting.
 */
export function createMailer(options: MailerOptions): Mailer {
  const { timeoutMs, server } = options;
  const from = asciiAddress(options.from);
  const library = preloadLibrary();
  const domain = from.slice(from.lastIndexOf('@') + 1);

  async function contentOf({ id, to, subject, text, html, fromName = 'Waiver service', ...mail }: Mail) {
    const { MailComposer } = await library;
    return new MailComposer({
      messageId: `<${id}@${domain}>`,
      from: { name: oneLine(fromName), address: from },
      to: { name: '', address: asciiAddress(to) },
      ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: asciiAddress(mail.replyTo) } }),
      subject: oneLine(subject),
      text,
      ...(html === undefined ? {} : { html }),
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
      .compile()
      .build();
  }

  return {
    async send(mail, signal) {
      const content = await contentOf(mail);
      const { SMTPConnection } = await library;
      const connection = new SMTPConnection(connectionOf(options));
      const { promise: failed, reject } = Promise.withResolvers<never>();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const onAbort = () =>
        reject(Object.assign(new Error('the mail was not sent in time'), { code: 'EABORT' }));
      connection.on('error', reject);
      limit.addEventListener('abort', onAbort, { once: true });
      if (limit.aborted) onAbort();
      const step = <Result>(
        run: (done: (error: Error | null | undefined, result?: Result) => void) => void,
      ) =>
        Promise.race([
          failed,
          new Promise<Result | undefined>((resolve, fail) => {
            run((error, result) => (error ? fail(error) : resolve(result)));
          }),
        ]);
      try {
        await step((done) => connection.connect((error) => done(error)));
        const { user, password: pass = '' } = server;
        if (user !== undefined && connection.allowsAuth)
          await step((done) => connection.login({ credentials: { user, pass } }, (error) => done(error)));
        const envelope = { from, to: [asciiAddress(mail.to)] };
        const text = Readable.from(textAfter(mail.beforeText, content));
        const sent = await step<{ readonly response?: string }>((done) =>
          connection.send(envelope, text, (error, info) => done(error, info)),
        );
        return sent?.response ?? '';
      } finally {
        limit.removeEventListener('abort', onAbort);
        failed.catch(() => {});
        connection.close();
      }
    },
  };
}
