export type { Invitation } from './invitation.ts';
export { guestMail } from './invitation-settings.ts';
export { InvitationStore, openInvitationStore } from './invitation-store.ts';
export { invitationsData } from './invitations-data.ts';
export type { PlannedInvitation } from './plan-invitations.ts';
