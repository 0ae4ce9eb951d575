import { createHmac } from 'node:crypto';
import type { RequestAuthentication, RequestToAuthenticate } from '@waiver-service/core';
import type { Account, Settings } from './settings.ts';

/** Signs a request: HMAC-SHA1 of time, access key, method and path with query, in base64. */
export function authenticate({
  method,
  url,
  now,
  account: { apiKey, secretKey },
}: RequestToAuthenticate<Settings, Account>): RequestAuthentication {
  const date = now.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ');
  const signature = createHmac('sha1', secretKey).update(date + apiKey + method + url.pathname + url.search);
  return {
    headers: {
      'X-Bokun-Date': date,
      'X-Bokun-AccessKey': apiKey,
      'X-Bokun-Signature': signature.digest('base64'),
    },
  };
}
