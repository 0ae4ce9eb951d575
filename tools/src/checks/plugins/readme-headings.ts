/** The headings of a plugin's README, the same in all. */
export const readmeHeadings = [
  '## What it speaks',
  '## Settings',
  '## Account information',
  '## What it writes back',
  '## Inbound calls',
  '## Source of each mapping',
];
