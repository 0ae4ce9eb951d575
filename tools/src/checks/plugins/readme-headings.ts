/** The headings that every plugin's README has. */
export const readmeHeadings = [
  '## What it speaks',
  '## Settings',
  '## Account information',
  '## What it writes back',
  '## Inbound calls',
  '## Source of each mapping',
];
