import { invitationContentFields } from '@waiver-service/api';
import { z } from 'zod';

const storedSchema = z.object(invitationContentFields);

/** The settings of a pool's invitations. */
export type InvitationContent = Readonly<z.output<typeof storedSchema>>;

/** When a pool invites; null: not then. Hours are of the pool's time zone. */
export type Occasions = InvitationContent['occasions'];

/** Hours of the day in which nothing is sent; they may span midnight. */
export type QuietHours = NonNullable<InvitationContent['quietHours']>;

/** Texts of a pool that replace the default ones. */
export type PoolTexts = NonNullable<InvitationContent['texts']['en']>;

/** The settings of a pool that has set none. */
export const defaultContent: InvitationContent = {
  occasions: { daysBefore: { days: 3, hour: 10 }, eveningBefore: { hour: 18 }, morningOf: null },
  senderName: null,
  replyTo: null,
  language: null,
  quietHours: { from: 21, until: 8 },
  texts: {},
};

/** Parses stored settings. */
export function contentOf(stored: string | null | undefined): InvitationContent {
  const { success, data } = storedSchema.partial().safeParse(JSON.parse(stored ?? '{}'));
  if (!success) throw new Error('the stored settings of invitations cannot be read');
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  return { ...defaultContent, ...Object.fromEntries(given) };
}
