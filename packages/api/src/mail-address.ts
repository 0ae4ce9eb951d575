import { domainToASCII } from 'node:url';
import { z } from 'zod';

const mailAddressMaxLength = 254;

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

const asciiPattern = new RegExp(`^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${label}\\.)+${label}$`);

// What follows the last @, without the ASCII characters that no domain has.
const unicodeDomain =
  /(?<=@)[A-Za-z0-9.\-\u0080-\u{10ffff}]*[\u0080-\u{10ffff}][A-Za-z0-9.\-\u0080-\u{10ffff}]*$/u;

/**
 * An address as mail servers take it: a domain that is not ASCII becomes punycode (`käse.example`,
 * `xn--kse-qla.example`). The result is not ASCII if the part before the @ is not: that would need SMTPUTF8, which many
 * servers lack.
 */
export const asciiAddress = (address: string): string => address.replace(unicodeDomain, domainToASCII);

const problemOfMailAddress = (text: string): string | undefined => {
  // Said already.
  if (text.length > mailAddressMaxLength) return undefined;
  const address = asciiAddress(text);
  if (address.length <= mailAddressMaxLength && asciiPattern.test(address)) return undefined;
  return /[^\0-\x7f].*@/.test(address)
    ? 'must be an address to which mail can be sent: before the @, many mail servers take no characters other than ASCII'
    : 'must be one mail address, such as operators@example.com';
};

/**
 * One mail address without a name, as in RFC 5321, unquoted: nothing in it can be a second address or a header. A domain
 * may be written in any script; see {@link asciiAddress}.
 */
export const mailAddressSchema = z
  .string()
  .max(mailAddressMaxLength)
  .superRefine((text, context) => {
    const message = problemOfMailAddress(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
