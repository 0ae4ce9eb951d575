import { AlertsSettings, alertsModule } from '@waiver-service/alerts';
import { ContainerModule } from 'inversify';
import { sql } from 'kysely';
import { GuestMail } from '../data/copies.ts';
import { FindKiosk } from '../links/link-access.ts';
import { signingModule } from '../signing-module.ts';
import { SigningSettings } from '../signing-settings.ts';

/** No guest is sent anything. */
export const noGuestMail: GuestMail = {
  destinationOf: () => Promise.reject(new Error('no mail is sent to guests')),
  isRefused: () => sql`true`,
};

const timeoutMs = 20_000;

/** What a host has on which guests sign, beside the features that a test adds. */
export const signingOnTestHosts = (
  { mail, timestampUrl }: Pick<AlertsSettings, 'mail'> & Partial<SigningSettings> = { mail: undefined },
): ContainerModule[] => [
  new ContainerModule(({ bind }) => {
    bind(SigningSettings).toConstantValue({ mail, timestampUrl });
    bind(AlertsSettings).toConstantValue({ mail, outboundTimeout: timeoutMs });
  }),
  alertsModule,
  signingModule,
];

/** What signing is given by features that a host may lack. Load it after those that it has. */
export const withoutGuestMailOrKiosks: ContainerModule = new ContainerModule(({ bind, isBound }) => {
  if (!isBound(GuestMail)) bind(GuestMail).toConstantValue(noGuestMail);
  if (!isBound(FindKiosk)) bind(FindKiosk).toConstantValue(async () => undefined);
});
