import { type Mail, type Mailer, mailFailure, textIn } from '@waiver-service/alerts';
import type { Sender, Untimed } from '@waiver-service/delivery';
import { scrubSecrets } from '@waiver-service/http';
import type { OutboundMessage } from '@waiver-service/outbox';
import type { CopyMail } from '@waiver-service/signing/data';
import type { Invitation, InvitationState } from './data/invitation.ts';
import {
  type Letter,
  type LetterContext,
  recipientOf,
  timeProblem,
  writeCopyLetter,
  writeLetter,
} from './letter.ts';
import { quietUntil } from './occasions.ts';
import { type InvitedServices, readInvited } from './recipients.ts';
import { contentOf } from './settings.ts';

/** A mail server's reply to a mail that it did not accept. */
interface SmtpReply {
  /** The command that it answered, such as `RCPT TO`. */
  readonly command: string | undefined;
  readonly code: number | undefined;
  readonly text: string;
}

/** Words of a refusal of the sender. Postfix names the table in which it found no recipient. */
const aboutUs = /relay(?! recipient table)|spam|block|reput|auth|policy|sender/i;

/** Ignores addresses, which may contain any of these words. */
const isAboutUs = (text: string) => aboutUs.test(text.replaceAll(/\S+@\S+/g, ''));

/**
 * Whether a reply means that the address will never accept mail: a permanent refusal of the recipient, not of the
 * sender. Servers refuse senders at the same command, by policy or because they only relay for others: the enhanced
 * status 5.7.x (RFC 3463, section 3.8), 5.3.x and 5.4.x (the system and its network), 5.1.7 and 5.1.8 (the sender's
 * address), or a sentence about relaying or the sender, which may even have the status 5.1.0.
 */
export function isAddressRefused({ command, code, text }: SmtpReply): boolean {
  if (command !== 'RCPT TO' || code === undefined || code < 500 || code > 599 || isAboutUs(text))
    return false;
  const [, subject, detail] = /^\d{3}[ -]5\.(\d{1,3})\.(\d{1,3})\b/.exec(text) ?? [];
  if (subject === '1') return detail !== '7' && detail !== '8';
  if (subject !== undefined) return subject === '2';
  // 550 to 554 by RFC 5321, section 4.2.3; others are about commands and their parameters.
  return [550, 551, 553, 554].includes(code);
}

export interface InvitationSenderParts extends InvitedServices {
  /** Undefined without `SMTP_URL`. */
  readonly mailer: Mailer | undefined;
  readonly clock?: () => Date;
}

/** The verdict on a message just before it is sent. */
type Verdict =
  | { readonly kind: 'send'; readonly letter: Letter }
  | { readonly kind: 'left-out'; readonly reason: string }
  | { readonly kind: 'wait'; readonly waitMs: number };

type Outcome = Untimed<Awaited<ReturnType<Sender>>>;

const leftOut = (reason: string): Verdict => ({ kind: 'left-out', reason });

const maxReplyLength = 300;
const maxWaitMs = 3_600_000;
const dayMs = 86_400_000;

/** Waits until the quiet hours end, or less, to check again. */
const waitUntil = (end: Date, now: Date): Verdict => ({
  kind: 'wait',
  waitMs: Math.min(end.getTime() - now.getTime(), maxWaitMs),
});

async function judgeInvitation(
  services: InvitedServices,
  invitation: Invitation,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<Verdict> {
  const { store } = services;
  const { pool: id, email, occasion } = invitation;
  const [pool, settings, refusal, baseUrl] = await Promise.all([
    store.pools.get(id),
    store.invitations.settings(id),
    store.invitations.refusal(id, email),
    store.invitations.baseUrl(),
  ]);
  if (refusal !== undefined) return leftOut(refusal);
  if (pool === undefined || baseUrl === undefined) return leftOut('uninstalled');
  const content = contentOf(settings?.content);
  const context: LetterContext = { pool, content, enabled: settings?.enabled === true, now };
  if (occasion !== 'staff' && !context.enabled) return leftOut('switched-off');
  const invited = await readInvited(services, { ...invitation, now, signal });
  if (invited.kind === 'unread') {
    // Without the booking, its start is unknown.
    const yesterday = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
    return invitation.day < yesterday ? leftOut('too-late') : { ...invited, kind: 'wait' };
  }
  if (invited.kind === 'closed') return leftOut(invited.reason);
  const problem = timeProblem(invitation, invited.startsAt, context);
  if (problem !== undefined) return leftOut(problem);
  const quiet = occasion === 'staff' ? undefined : quietUntil(now, content.quietHours, pool.timeZone);
  if (quiet !== undefined) return quiet < invited.startsAt ? waitUntil(quiet, now) : leftOut('quiet-hours');
  const recipient = recipientOf(invitation, invited);
  if (typeof recipient === 'string') return leftOut(recipient);
  const letter = await writeLetter(services, { recipient, invited, message: invitation, context, baseUrl });
  return letter === undefined ? leftOut('link-revoked') : { kind: 'send', letter };
}

/** A copy is sent once something is signed: at any hour, and also where no guests are invited. */
async function judgeCopy(services: Pick<InvitedServices, 'store'>, mail: CopyMail): Promise<Verdict> {
  const { store } = services;
  const { pool: id, email } = mail;
  const [pool, settings, refusal, baseUrl, token] = await Promise.all([
    store.pools.get(id),
    store.invitations.settings(id),
    store.invitations.refusal(id, email),
    store.invitations.baseUrl(),
    store.signings.copyMails.tokenOf(mail),
  ]);
  if (mail.isOver) return leftOut('ended');
  if (refusal !== undefined) return leftOut(refusal);
  if (pool === undefined || baseUrl === undefined) return leftOut('uninstalled');
  const content = contentOf(settings?.content);
  return { kind: 'send', letter: await writeCopyLetter(services, { mail, pool, content, baseUrl, token }) };
}

/** A message that waits, of either kind. */
interface WaitingMail extends Pick<Invitation, 'id' | 'pool' | 'email' | 'state'> {
  readonly judge: (signal: AbortSignal) => Promise<Verdict>;
  readonly move: (
    from: readonly InvitationState[],
    to: { readonly state: InvitationState; readonly reason?: string },
  ) => Promise<boolean>;
}

function mailOf({ id }: Pick<WaitingMail, 'id'>, letter: Letter, beforeText: () => Promise<void>): Mail {
  const { unsubscribeUrl, ...mail } = letter;
  return {
    id,
    ...mail,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      // RFC 8058: by an automated request, which only https protects.
      ...(unsubscribeUrl.startsWith('https:')
        ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
        : {}),
    },
    beforeText,
  };
}

/** The progress of a mail. */
interface HandOver {
  /** The hand-over may have been recorded. */
  isMarked: boolean;
  /** The server may have some of the text. */
  isTextSent: boolean;
}

const nothingSent = (reason: string) => ({ outcome: 'nothing-written', reason }) as const;

/**
 * Creates the sender of e-mail to guests: invitations, and links to copies. It checks again everything that may have changed since a message was planned.
 *
 * The hand-over is recorded before the server gets the text. From then on, unless the server refuses the message, it
 * may have arrived, and is not sent again.
 */
export function createInvitationSender(parts: InvitationSenderParts): Sender {
  const { store, mailer, clock = () => new Date() } = parts;
  const { invitations } = store;
  const { copyMails } = store.signings;

  /** Undefined if its guest was erased. */
  async function find(id: string): Promise<WaitingMail | undefined> {
    const invitation = await invitations.get(id);
    if (invitation !== undefined)
      return {
        ...invitation,
        judge: (signal) => judgeInvitation(parts, invitation, { now: clock(), signal }),
        move: (from, to) => invitations.move(invitation, from, to),
      };
    const copy = await copyMails.get(id);
    return (
      copy && {
        ...copy,
        judge: () => judgeCopy(parts, copy),
        move: (from, to) => copyMails.move(copy, from, to),
      }
    );
  }

  async function failure(
    mail: WaitingMail,
    error: Error,
    { isTextSent, isMarked }: HandOver,
  ): Promise<Outcome> {
    const failed = mailFailure(error);
    const reply = textIn(error, 'response') ?? '';
    if (isTextSent && failed.status === undefined) {
      await mail.move(['handing-over'], { state: 'in-doubt' });
      return { ...failed, outcome: 'in-doubt', retry: 'never' };
    }
    if (isMarked) await mail.move(['handing-over'], { state: 'waiting' });
    const { pool, email } = mail;
    const refusal = { command: textIn(error, 'command'), code: failed.status, text: reply };
    if (isAddressRefused(refusal)) {
      const shown = scrubSecrets(reply).slice(0, maxReplyLength);
      const id = invitations.addressId(pool, email);
      await invitations.addRefusal({ pool, id, email, reason: 'refused', reply: shown });
      await mail.move(['waiting'], { state: 'refused', reason: shown });
      return { outcome: 'nothing-written', reason: 'the mail server refuses the address' };
    }
    // A reply may quote the address: the attempt is stored without it.
    const { response: _, ...stored } = failed;
    return { ...stored, outcome: 'refused' };
  }

  async function send(
    { id }: OutboundMessage,
    signal: AbortSignal,
    checkLease: (() => void) | undefined,
  ): Promise<Outcome> {
    const mail = await find(id);
    if (mail === undefined) return nothingSent('its guest was erased');
    const { state } = mail;
    // Already sent, by an attempt that could not be recorded.
    if (state === 'sent') return { outcome: 'accepted' };
    if (state === 'handing-over') {
      await mail.move(['handing-over'], { state: 'in-doubt' });
      return { outcome: 'in-doubt', retry: 'never' };
    }
    if (state !== 'waiting') return nothingSent(state);
    if (mailer === undefined) throw new Error('SMTP_URL is not set, and guests are to be written to');
    const verdict = await mail.judge(signal);
    if (verdict.kind === 'wait') return { outcome: 'postponed', waitMs: verdict.waitMs };
    if (verdict.kind === 'left-out') {
      const { reason } = verdict;
      await mail.move(['waiting'], { state: 'left-out', reason });
      return nothingSent(reason);
    }
    const handOver: HandOver = { isMarked: false, isTextSent: false };
    const beforeText = async () => {
      checkLease?.();
      signal.throwIfAborted();
      // Set first, in case the database's answer is lost.
      handOver.isMarked = true;
      handOver.isMarked = await mail.move(['waiting'], { state: 'handing-over' });
      if (!handOver.isMarked) throw new Error('another process has taken the message');
      handOver.isTextSent = true;
    };
    try {
      await mailer.send(mailOf(mail, verdict.letter, beforeText), signal);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return failure(mail, error, handOver);
    }
    await mail.move(['handing-over'], { state: 'sent' });
    return { outcome: 'accepted' };
  }

  return async (message, signal, limits) => {
    const started = performance.now();
    const result = await send(message, signal, limits?.checkLease);
    return { ...result, durationMs: Math.round(performance.now() - started) };
  };
}
