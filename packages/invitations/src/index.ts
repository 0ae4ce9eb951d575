export { InvitationStore } from './data/invitation-store.ts';
export { createInvitationSender } from './invitation-sender.ts';
export { invitationsModule } from './invitations-module.ts';
