import { isIP } from 'node:net';
import type { MailServer } from '../settings/host-settings.ts';

export interface Mail {
  /** The same for each attempt, so that duplicates can be recognized. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** @returns the server's reply. @throws if the server refuses the mail or cannot be reached */
  send(mail: Mail, signal: AbortSignal): Promise<string>;
}

export interface MailerOptions {
  readonly server: MailServer;
  readonly from: string;
  readonly timeoutMs: number;
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function connectionOf({ server, timeoutMs }: MailerOptions) {
  const { host, port, secure, user, password = '' } = server;
  const isLocal = isLoopback(host);
  return {
    host,
    port,
    secure,
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
    // A man in the middle may strip STARTTLS from the server's answer: never send a password in the clear.
    requireTLS: user !== undefined && !secure && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

// A line break would start another header; nodemailer removes it, too.
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ');

/**
 * Creates a mailer. Each mail has its own connection, and the time limit for all of it. The address guard of
 * partners' calls does not apply: like the database's, the server's address is the operator's own setting.
 */
export function createMailer(options: MailerOptions): Mailer {
  const { from, timeoutMs } = options;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, subject, text }, signal) {
      // Loaded by the first mail: most hosts send none.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(connectionOf(options));
      const { response } = await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from: { name: 'Waiver service', address: from },
        to: { name: '', address: to },
        subject: oneLine(subject),
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      return response;
    },
  };
}
