import type { ServiceIdentifier } from 'inversify';

export interface SigningSettings {
  /** `undefined`: no mail is sent, so none with the copy of what was signed. */
  readonly mail: object | undefined;
  /** Of a stamp server (RFC 3161). Without it there are no outside stamps of evidence. */
  readonly timestampUrl: string | undefined;
}
export const SigningSettings: ServiceIdentifier<SigningSettings> = Symbol('SigningSettings');
