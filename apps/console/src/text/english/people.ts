export const peopleTexts = {
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  people: {
    lead: 'Who can sign in and call the API, and with which role. The admin token is also an owner.',
    add: 'Add person',
    none: 'Only the admin token',
    noneHint: 'People who can sign in are listed here. Give each person a separate credential.',
    role: 'Role',
    expires: 'Expires',
    over: 'Expired',
    nameHint: 'Shown in the audit log.',
    roleHints: {
      owner: 'Everything.',
      operator: 'Everything in its pools, except people, install keys and booking system settings.',
      viewer: 'Reads its pools without guests’ data.',
    },
    poolsHint: 'Pool ids, separated by commas. Leave empty for all.',
    lastDay: 'Last day',
    lastDayHint: 'Leave empty for no expiry.',
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeLead: 'Its user loses access and is signed out at once.',
  },
  sessions: {
    title: 'Signed in to the console',
    since: 'Signed in',
    end: 'End',
    endOf: (name: string) => `End a session of ${name}`,
    endLead:
      'That browser is signed out at once. The person can sign in again as long as the credential, or the account at the issuer, has a role.',
    ended: 'Session ended.',
  },
} as const;
