import { mailAddressSchema } from '@waiver-service/api';
import type { FormContent, Signing } from '@waiver-service/forms';
import type { CopyRecipient } from '@waiver-service/store';
import type { HostSettings } from '../settings/host-settings.ts';

/** Whom to send the link to the copy of a signing: nobody without a mail server, or without an address. */
export function copyRecipient(
  { settings }: { readonly settings: HostSettings },
  email: unknown,
  language: string,
): CopyRecipient | undefined {
  if (settings.mail === undefined) return undefined;
  const address = mailAddressSchema.safeParse(typeof email === 'string' ? email.trim() : email);
  return address.success ? { email: address.data, language } : undefined;
}

/**
 * The address that the signer gave. One that was asked of each guest is the signer's only if the signer takes part: the
 * first guest's.
 */
export function signerEmail(
  { pages }: Pick<FormContent, 'pages'>,
  { signer }: Pick<Signing, 'signer'>,
  [first]: readonly { readonly answers?: Readonly<Record<string, unknown>> }[],
): unknown {
  const isOfSigner = pages
    .flatMap(({ items }) => items)
    .some((item) => item.type === 'ask' && item.property === 'email' && item.per === 'signer');
  return isOfSigner || signer.takesPart ? first?.answers?.email : undefined;
}
