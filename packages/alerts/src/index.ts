export { alertsModule } from './alerts-module.ts';
export { AlertsSettings } from './alerts-settings.ts';
export { asWords, shortened } from './as-words.ts';
export { AlertStore } from './data/alert-store.ts';
export { directionOf, type MailLanguage, mailLanguageOf } from './mail-language.ts';
export { mailFailure, textIn } from './mail-sender.ts';
export { createMailer, type Mail, Mailer } from './mailer.ts';
