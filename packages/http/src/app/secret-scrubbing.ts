// Keys and tokens of this service: a prefix and 43 characters of base64url.
const ownSecret = /\bws[a-z]_[A-Za-z0-9_-]{16,}/g;
const credentialInUrl = /(\/\/)[^/\s:@]*:[^/\s@]*@/g;
const keyInQuery = /([?&](?:api-?)?key=)[^&\s"]+/gi;
const credentialHeader = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g;

/** Redacts everything in a text that looks like a secret. */
export function scrubSecrets(text: string): string {
  return text
    .replace(ownSecret, '[redacted]')
    .replace(credentialInUrl, '$1[redacted]@')
    .replace(keyInQuery, '$1[redacted]')
    .replace(credentialHeader, '$1 [redacted]');
}
