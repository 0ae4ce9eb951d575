import { HttpProblem } from '../http/http-problem.ts';

/** 409: there is no mail server. */
export const noMailServer = (): HttpProblem =>
  new HttpProblem(
    409,
    'mail_not_configured',
    'No mail server is set: give the service SMTP_URL and ALERT_FROM.',
  );

/** A masked address: its first letter and its domain. */
export function maskedAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = [...email];
  return `${first}…${email.slice(at)}`;
}
