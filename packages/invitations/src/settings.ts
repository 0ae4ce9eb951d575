import type { MailLanguage } from '@waiver-service/alerts';
import { invitationContentFields } from '@waiver-service/api';
import { z } from 'zod';
import type { Occasions, QuietHours } from './occasions.ts';

/** Texts of a pool that replace the default ones. */
export interface PoolTexts {
  readonly subject: string;
  readonly text: string;
}

/** The settings of a pool's invitations. */
export interface InvitationContent {
  readonly occasions: Occasions;
  readonly senderName: string | null;
  readonly replyTo: string | null;
  readonly language: MailLanguage | null;
  readonly quietHours: QuietHours | null;
  readonly texts: { readonly [Language in MailLanguage]?: PoolTexts | undefined };
}

/** The settings of a pool that has set none. */
export const defaultContent: InvitationContent = {
  occasions: { daysBefore: { days: 3, hour: 10 }, eveningBefore: { hour: 18 }, morningOf: null },
  senderName: null,
  replyTo: null,
  language: null,
  quietHours: { from: 21, until: 8 },
  texts: {},
};

const storedSchema = z.object(invitationContentFields).partial();

/** Parses stored settings. */
export function contentOf(stored: string | null | undefined): InvitationContent {
  const { success, data } = storedSchema.safeParse(JSON.parse(stored ?? '{}'));
  if (!success) throw new Error('the stored settings of invitations cannot be read');
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return { ...defaultContent, ...Object.fromEntries(given) };
}
