export const peopleTexts = {
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  people: {
    lead: 'Who may sign in here and call the API, and as what. The admin token is an owner besides.',
    add: 'Add person',
    none: 'Nobody but the admin token',
    noneHint: 'Give everyone a credential of their own.',
    role: 'Role',
    expires: 'Expires',
    over: 'Expired',
    nameHint: 'Whose it is, as the audit log will name them.',
    roleHints: {
      owner: 'Everything.',
      operator: 'Everything in its pools, but no people, install keys and settings of booking systems.',
      viewer: 'Reads its pools, without guests’ data.',
    },
    poolsHint: 'Ids of pools, separated by commas. Left empty: all.',
    lastDay: 'Last day',
    lastDayHint: 'Left empty, it does not expire.',
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeLead: 'Whoever uses it can no longer call, and is signed out at once.',
  },
  sessions: {
    title: 'Signed in to the console',
    since: 'Signed in',
    end: 'End',
    endOf: (name: string) => `End a session of ${name}`,
    endLead:
      'This browser is signed out at once. The person can sign in again as long as the credential, or the account at the issuer, has a role.',
    ended: 'The session has ended.',
  },
} as const;
