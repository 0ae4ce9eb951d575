import type { ServiceIdentifier } from 'inversify';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

export interface AlertsSettings {
  /** The server that sends mail, and the sender's address. `undefined`: no mail. */
  readonly mail: { readonly server: MailServer; readonly from: string } | undefined;
  /** Milliseconds. */
  readonly outboundTimeout: number;
}
export const AlertsSettings: ServiceIdentifier<AlertsSettings> = Symbol('AlertsSettings');
