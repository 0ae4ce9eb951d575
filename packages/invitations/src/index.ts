export { createInvitationSender } from './invitation-sender.ts';
export { invitationsModule } from './invitations-module.ts';
