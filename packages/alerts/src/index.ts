export { mailFailure, textIn } from './alert-sender.ts';
export { alertsModule } from './alerts-module.ts';
export { AlertsSettings } from './alerts-settings.ts';
export { AlertStore } from './data/alerts.ts';
export { asWords, directionOf, type MailLanguage, mailLanguageOf, shortened } from './mail-text.ts';
export { createMailer, type Mail, Mailer } from './mailer.ts';
