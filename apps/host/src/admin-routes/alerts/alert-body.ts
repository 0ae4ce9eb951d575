import type { Mailer } from '../../alerts/mailer.ts';
import { malformed } from '../../http/http-problem.ts';

/** @throws HttpProblem 400 that names the settings if this host sends no mail */
export function requireMailer(mailer: Mailer | undefined): void {
  if (mailer !== undefined) return;
  const message = 'this host sends no mails: set SMTP_URL and ALERT_FROM, or give a url instead';
  throw malformed([{ path: 'email', message }]);
}
