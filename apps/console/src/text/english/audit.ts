export const auditTexts = {
  audit: {
    lead: 'Who changed what, and who read whose data. Entries cannot be changed.',
    at: 'When',
    actor: 'Who',
    action: 'What',
    target: 'Target',
    address: 'Address',
    result: 'Result',
    running: 'Running',
    done: 'Done',
    refused: (status: number) => `Refused (${status})`,
    actionHint: 'For example webhook.create, or webhook for all webhook actions',
    actorHint: 'For example a name, or admin-token',
    targetHint: 'Part of an id',
    exports: { csv: 'Export as CSV', ndjson: 'Export as JSON lines' },
    none: 'No entries match these filters',
    noneHint:
      'Every change and every access to a guest’s data is listed here. Widen the period or remove a filter.',
  },
} as const;
