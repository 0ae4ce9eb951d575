import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Examination, ExaminedPlugin } from './examined-plugin.ts';
import { ruleNames, ruleTitles } from './quality-file.ts';

/** Where the table of all plugins stands, from the root. */
export const pagePath = 'docs/booking-systems.md';

const reads = { current: 'current', legacy: 'legacy', native: 'its own' } as const;
const calls = { contract: 'by the contract', native: 'its own', none: 'no' } as const;

// Characters that take two columns.
const wide =
  /\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/gu;
const widthOf = (cell: string) => [...cell].length + (cell.match(wide)?.length ?? 0);

// Padded as the formatter pads a table, so that the page stays as it was written.
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heads, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = heads.map((_head, column) => Math.max(3, ...cells.map((row) => widthOf(row[column] ?? ''))));
  const line = (row: readonly string[], filling: string) =>
    `| ${row.map((cell, column) => cell + filling.repeat((widths[column] ?? 0) - widthOf(cell))).join(' | ')} |`;
  const [first = [], ...others] = cells;
  const rule = line(
    heads.map(() => ''),
    '-',
  );
  return [line(first, ' '), rule, ...others.map((row) => line(row, ' '))].join('\n');
}

const linked = ({ folder, manifest }: ExaminedPlugin) => `[${manifest.displayName}](../${folder}/README.md)`;

function capabilitiesRow(plugin: ExaminedPlugin): string[] {
  const { installName, capabilities, writeUnit } = plugin.manifest;
  const { forms, guestUpdate, takes, inbound, requestLimit } = capabilities;
  return [
    linked(plugin),
    `\`${installName}\``,
    forms.map((form) => reads[form]).join(', '),
    guestUpdate ? takes.join(', ') : 'nothing',
    guestUpdate ? writeUnit : '–',
    capabilities.void ? 'yes' : 'no',
    calls[inbound],
    requestLimit ? `${requestLimit.requests} in ${requestLimit.perSeconds} s` : 'not known',
  ];
}

function reasonLines({ manifest, rules }: ExaminedPlugin): string[] {
  return ruleNames.flatMap((name) => {
    const rule = rules[name];
    return rule.state === 'done'
      ? []
      : [`- \`${manifest.installName}\`, ${ruleTitles[name]}, ${rule.state}: ${rule.reason}`];
  });
}

/** The page about all plugins, made from their manifests and quality files. */
export function writeBookingSystemsPage(plugins: readonly ExaminedPlugin[]): string {
  const inOrder = plugins.toSorted((one, other) => (one.folder < other.folder ? -1 : 1));
  return `# Booking systems

\`npm run docs:booking-systems\` makes this page from each plugin's manifest and its \`quality.json\`; \`npm run check\` fails when
it is out of date.

## What each can do

${table(
  [
    'Booking system',
    'Install name',
    'Forms it reads',
    'Guest Update leaves',
    'One at a time',
    'Void',
    'Calls us',
    'Requests allowed',
  ],
  inOrder.map(capabilitiesRow),
)}

"One at a time": updates of one waiver, or of one whole booking, are sent one after the other.

## How far each is

${table(
  ['Install name', ...ruleNames.map((name) => ruleTitles[name])],
  inOrder.map(({ manifest, rules }) => [
    `\`${manifest.installName}\``,
    ...ruleNames.map((name) => rules[name].state),
  ]),
)}

What each rule asks stands in [writing a plugin](plugins/writing-a-plugin.md). What is not done, and why:

${inOrder.flatMap(reasonLines).join('\n')}
`;
}

/** The plugins that could be examined. */
export const examined = (examinations: readonly Examination[]): ExaminedPlugin[] =>
  examinations.flatMap((examination) => ('plugin' in examination ? [examination.plugin] : []));

/** Says so where the page is not what the plugins say now. */
export function findStalePage(root: string, examinations: readonly Examination[]): string[] {
  const page = writeBookingSystemsPage(examined(examinations));
  return readFileSync(join(root, pagePath), 'utf8') === page
    ? []
    : [`${pagePath}: is out of date; run npm run docs:booking-systems`];
}
