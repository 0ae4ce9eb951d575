import { expect, test } from 'vitest';
import { sendAlertMail } from '../src/alert-sender.ts';
import type { Mail } from '../src/mailer.ts';

async function sentFor(alert: {
  readonly pool?: string;
  readonly message: string;
}): Promise<Mail | undefined> {
  let sent: Mail | undefined;
  const mailer = {
    async send(mail: Mail) {
      sent = mail;
      return '250 OK';
    },
  };
  const body = JSON.stringify({ type: 'destination.failing', at: 'AT', link: 'LINK', ...alert });
  await sendAlertMail(mailer, 'ops@example.com', { id: 'id', body }, new AbortController().signal);
  return sent;
}

test('what others have named stands in an alert’s mail as words on one line', async () => {
  const mail = await sentFor({
    pool: 'https://evil.example\r\nBcc: all@example.com',
    message: 'The webhook at evil.example of pool x\n\nPay at https://evil.example/pay has only failed.',
  });
  expect(mail?.subject).toBe(
    '[Waiver service] A destination fails (https: / /evil. example Bcc: all @ example. com)',
  );
  expect(mail?.text).toBe(
    'The webhook at evil. example of pool x Pay at https: / /evil. example/pay has only failed.\n\nLINK\n\nAT\n',
  );
});

test('it is as long as a person reads', async () => {
  const mail = await sentFor({ pool: 'p'.repeat(10_000), message: 'm'.repeat(100_000) });
  expect(mail?.subject.length).toBeLessThan(250);
  expect(mail?.text.length).toBeLessThan(2_100);
});
