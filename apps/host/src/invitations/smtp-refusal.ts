/** A mail server's answer to a mail that it did not take. */
export interface SmtpReply {
  /** The command that it answered, such as `RCPT TO`. */
  readonly command: string | undefined;
  readonly code: number | undefined;
  readonly text: string;
}

/** Words of a refusal of us. Postfix names the table in which it did not find a recipient. */
const aboutUs = /relay(?! recipient table)|spam|block|reput|auth|policy|sender/i;

/** An address may have any of these words in it. */
const isAboutUs = (text: string) => aboutUs.test(text.replaceAll(/\S+@\S+/g, ''));

/**
 * Whether a reply says that the address takes no mail, and will not: a permanent refusal of the recipient, and not of us.
 * Servers refuse senders in the same place, by policy or because they relay for others only: the enhanced status 5.7.x
 * (RFC 3463, section 3.8), 5.3.x and 5.4.x (the system and its network), 5.1.7 and 5.1.8 (the sender's address), or a
 * sentence about relaying or the sender, which may have the status 5.1.0.
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
