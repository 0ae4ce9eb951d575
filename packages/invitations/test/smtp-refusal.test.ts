import { expect, it } from 'vitest';
import { isAddressRefused } from '../src/invitation-sender.ts';

it.each([
  ['RCPT TO', '550 5.1.1 The email account that you tried to reach does not exist', true],
  ['RCPT TO', '552 5.2.2 mailbox full', true],
  ['RCPT TO', '550 No such user here', true],
  ['RCPT TO', '553 5.1.3 bad address', true],
  ['RCPT TO', '550 5.1.0 <ann@example.com>: address unknown', true],
  ['RCPT TO', '550 5.1.1 <spam.sender@example.com>: Recipient address rejected: User unknown', true],
  [
    'RCPT TO',
    '550 5.1.1 <a@example.com>: Recipient address rejected: User unknown in relay recipient table',
    true,
  ],
  ['RCPT TO', '550 No such user author@example.com', true],
  ['RCPT TO', '550 5.1.8 <noreply@example.com>: Sender address rejected: Domain not found', false],
  ['RCPT TO', '553 5.1.7 <noreply@example.com>: address rejected', false],
  ['RCPT TO', '550 5.1.0 <noreply@example.com>: Sender address rejected: User unknown', false],
  ['RCPT TO', '450 4.2.1 mailbox busy', false],
  ['RCPT TO', '550 5.7.1 Unable to relay', false],
  ['RCPT TO', '550 5.7.1 your IP is blocked', false],
  ['RCPT TO', '554 relay access denied', false],
  ['RCPT TO', '550 sender rejected', false],
  ['RCPT TO', '503 need MAIL first', false],
  ['MAIL FROM', '550 5.1.1 no such sender', false],
  ['DATA', '554 5.1.1 refused', false],
  [undefined, '', false],
])('%s %s: %s', (command, text, expected) => {
  const code = text === '' ? undefined : Number(text.slice(0, 3));
  expect(isAddressRefused({ command, code, text })).toBe(expected);
});
