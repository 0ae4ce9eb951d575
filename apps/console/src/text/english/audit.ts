export const auditTexts = {
  audit: {
    lead: 'Who changed what and who read whose data. Nothing in it can be changed.',
    at: 'When',
    actor: 'Who',
    action: 'What',
    target: 'Of',
    address: 'Address',
    result: 'Result',
    running: 'Running',
    done: 'Done',
    refused: (status: number) => `Refused (${status})`,
    actionHint: 'Such as webhook.create, or webhook for all of them',
    actorHint: 'A name, or such as admin-token',
    targetHint: 'A part of an id',
    exports: { csv: 'Export as CSV', ndjson: 'Export as JSON lines' },
    none: 'No entry fits these filters',
  },
} as const;
