import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail that the server has taken, also where the client did not hear of it. */
export interface TakenMail {
  readonly to: string;
  readonly messageId: string;
  readonly raw: string;
  readonly at: number;
}

export interface FaultyMailServerOptions {
  /** From 0 to 1. */
  readonly random: () => number;
  /** Addresses that do not exist. */
  readonly refuses: (address: string) => boolean;
  readonly maxDelayMs: number;
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const smtpError = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/**
 * A mail server that refuses addresses, is busy at times, is slow, and drops connections: before it has the text, and after,
 * having taken the mail or not. It counts what it did.
 */
export async function startFaultyMailServer({ random, refuses, maxDelayMs }: FaultyMailServerOptions) {
  const mails: TakenMail[] = [];
  const counts = { refused: 0, busy: 0, droppedBefore: 0, droppedTaken: 0, droppedLost: 0, busyAfter: 0 };
  const sockets = new Map<number, Socket>();
  const drop = ({ remotePort }: { readonly remotePort: number }) => sockets.get(remotePort)?.destroy();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, session, done) {
      const fate = random();
      delay(random() * maxDelayMs).then(() => {
        if (refuses(address)) {
          counts.refused += 1;
          return done(smtpError(550, `5.1.1 <${address}>: no such user`));
        }
        if (fate < 0.06) {
          counts.busy += 1;
          return done(smtpError(451, '4.3.2 try again later'));
        }
        if (fate < 0.1) {
          counts.droppedBefore += 1;
          return drop(session);
        }
        done(null);
      });
    },
    onData(stream, session, done) {
      const fate = random();
      text(stream).then(async (raw) => {
        await delay(random() * maxDelayMs);
        const [{ address: to } = { address: '' }] = session.envelope.rcptTo;
        const [, messageId = ''] = /^Message-ID: <([^@>]+)@/im.exec(raw) ?? [];
        const take = () => mails.push({ to, messageId, raw, at: performance.now() });
        if (fate < 0.02) {
          counts.droppedTaken += 1;
          take();
          return drop(session);
        }
        if (fate < 0.04) {
          counts.droppedLost += 1;
          return drop(session);
        }
        if (fate < 0.08) {
          counts.busyAfter += 1;
          return done(smtpError(451, '4.3.0 not now'));
        }
        take();
        done(null);
      }, done);
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.on('close', () => sockets.delete(remotePort));
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  return {
    port: address.port,
    mails,
    counts,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
