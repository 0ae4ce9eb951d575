import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggableUrl } from '../../src/http/request-log.ts';

const secret = 'wsp_0123456789';

test.each(['key', 'KEY', 'k%65y', '%6Bey', 'key%20', '+key'])(
  'an app pool key is not logged when it is named %s',
  (name) => {
    expect(loggableUrl(`/integration/webhook/x?a=1&${name}=${secret}&b=2`)).toBe(
      `/integration/webhook/x?a=1&${name}=[redacted]&b=2`,
    );
  },
);

test('the rest of an address is logged as it came', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
      fc.pre(!/[?&]k?e?y?=/i.test(url));
      expect(loggableUrl(url)).toBe(url);
    }),
  );
});
