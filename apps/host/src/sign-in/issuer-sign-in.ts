import type { Outbound } from '@waiver-service/outbound';
import type { ServiceIdentifier } from 'inversify';
import type { SignInIssuer } from '../settings/host-settings.ts';
import { createIssuerClient, type IssuerClient } from './issuer-client.ts';
import { rulesOf } from './person-of-claims.ts';

export interface IssuerSignIn {
  readonly client: IssuerClient;
  /** Its name for people: its host. */
  readonly displayName: string;
  readonly rules: string;
}
export const IssuerSignIn: ServiceIdentifier<IssuerSignIn | undefined> = Symbol('IssuerSignIn');

export function createIssuerSignIn(
  settings: SignInIssuer | undefined,
  outbound: Pick<Outbound, 'fetch'>,
): IssuerSignIn | undefined {
  return (
    settings && {
      client: createIssuerClient(settings, outbound.fetch),
      displayName: new URL(settings.issuer).host,
      rules: rulesOf(settings),
    }
  );
}
