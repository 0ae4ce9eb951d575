export { guestMail } from './guest-mail.ts';
export type { Invitation } from './invitation.ts';
export { InvitationStore, openInvitationStore } from './invitation-store.ts';
export { invitationsData } from './invitations-data.ts';
export type { PlannedInvitation } from './plan-invitations.ts';
