import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';

/** A new PKCE verifier (RFC 7636): a secret for one visit to an authorization page. */
export const createCodeVerifier = (): string => generateRandomCodeVerifier();

/** A verifier's challenge, by method `S256`. */
export const codeChallengeOf = (codeVerifier: string): Promise<string> =>
  calculatePKCECodeChallenge(codeVerifier);
