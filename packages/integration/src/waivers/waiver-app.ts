import { type Caller, seesGuests } from '@waiver-service/http';
import type { TokenSetup } from '@waiver-service/store';

/** A pool's waiver app; its access token is looked up together with the pool's setup. */
export interface WaiverApp extends Caller {
  readonly kind: 'pool';
  readonly pool: string;
  readonly setup: TokenSetup;
}

export const waiverApp = (setup: TokenSetup): WaiverApp => ({
  kind: 'pool',
  actor: `access-token:${setup.token.id}`,
  name: null,
  pool: setup.pool,
  seesGuests: true,
  setup,
});

const isWaiverApp = (caller: Caller | null): caller is WaiverApp => caller?.kind === 'pool';

/** The setup of the pool whose app makes a request. */
export const setupOf = (caller: Caller | null): TokenSetup | undefined =>
  isWaiverApp(caller) ? caller.setup : undefined;

/** Whether a response may contain the answers of waivers, other than those that the request itself sent. */
export function seesAnswers(caller: Caller | null): boolean {
  if (!isWaiverApp(caller)) return seesGuests(caller);
  const { scopes } = caller.setup.token;
  return scopes.includes('waivers:read') || scopes.includes('waivers:list');
}
