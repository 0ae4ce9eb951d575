import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a server received it. */
export interface ReceivedMail {
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
