/** A mail server's reply to a mail that it did not accept. */
export interface SmtpReply {
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
