import { createHmac } from 'node:crypto';
import { runContractSuite } from '@waiver-service/contract-suite';
import bokun from '../src/index.ts';
import { judged, scenarios, timeZone } from './scenarios.ts';

runContractSuite(bokun, {
  settings: { appSecret: 'planted-app-secret-5e02d7' },
  account: { secretKey: 'planted-secret-key-9b31f0', timeZone },
  // As documented: the UTC date, the access key, the method and the path with its query, concatenated.
  isAuthentic({ method, url, headers, now }, { account }) {
    const date = headers['x-bokun-date'] ?? '';
    if (
      date !==
      now
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d{3}Z$/, '')
    )
      return false;
    const signed = [date, account.apiKey, method, url.href.replace(url.origin, '')].join('');
    const signature = createHmac('sha1', String(account.secretKey)).update(signed).digest('base64');
    return headers['x-bokun-accesskey'] === account.apiKey && headers['x-bokun-signature'] === signature;
  },
  inboundSignature: {
    // As documented: `name=value` of the headers, sorted by name and joined by `&`.
    sign({ headers }, { settings }) {
      const names = Object.keys(headers).filter((name) => name.startsWith('x-bokun-'));
      const signed = names.sort().map((name) => `${name}=${headers[name]}`);
      const signature = createHmac('sha256', String(settings.appSecret)).update(signed.join('&'));
      return { headers: { 'X-Bokun-Hmac': signature.digest('base64') } };
    },
  },
  native: scenarios,
  judged,
});
