import { z } from 'zod';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const address = new RegExp(`^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@(?:${label}\\.)+${label}$`);

/** One mail address without a name, as in RFC 5321, unquoted: nothing in it can be a second address or a header. */
export const mailAddressSchema = z
  .string()
  .max(254)
  .regex(address, 'must be one mail address, such as operators@example.com');
