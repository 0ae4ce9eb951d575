import type { Outbound } from '@waiver-service/outbound';
import type { SignInIssuer } from '../settings/host-settings.ts';
import { createIssuerClient, type IssuerClient } from './issuer-client.ts';
import { rulesOf } from './person-of-claims.ts';

/** The issuer, and how its people are known. */
export interface IssuerSignIn {
  readonly client: IssuerClient;
  /** Its name for people: its host. */
  readonly displayName: string;
  /** See {@link rulesOf}. */
  readonly rules: string;
}

/** Puts together what signs people in through an issuer, where there is one. */
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
