/** A commit: its title, and the files that it changes. */
export interface Commit {
  readonly title: string;
  readonly files: readonly string[];
}

/** What people have written for the next release. Each is empty if there is nothing to say. */
interface Unreleased {
  readonly summary: string;
  /** What it takes away or refuses. */
  readonly breaking: string;
  readonly upgradeNotes: string;
}

const unreleased = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

/** Reads the section "Unreleased" of CHANGELOG.md. */
export function readUnreleased(changelog: string): Unreleased {
  const [summary = '', ...parts] = (unreleased.exec(changelog)?.[1] ?? '').split(/^### /m);
  const textOf = (heading: string) =>
    parts
      .find((part) => part.startsWith(`${heading}\n`))
      ?.slice(heading.length)
      .trim() ?? '';
  return { summary: summary.trim(), breaking: textOf('Breaking'), upgradeNotes: textOf('Upgrade notes') };
}

const several = 'Several packages';

/** The packages whose published files a commit changes: neither their tests nor their pages. */
const changedPackages = ({ files }: Commit, folders: readonly string[]) =>
  folders.filter((folder) =>
    files.some((file) => file.startsWith(`${folder}/`) && !/\/test\/|\.md$/.test(file)),
  );

/** A list of the commits by package. Those that change no package are left out. */
function changesOf(commits: readonly Commit[], folders: readonly string[]): string {
  const subjects = commits.flatMap((commit) => {
    const [first, second] = changedPackages(commit, folders);
    return first === undefined ? [] : [{ ...commit, subject: second === undefined ? first : several }];
  });
  const order = [...folders, several];
  return [...Map.groupBy(subjects, ({ subject }) => subject)]
    .toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([subject, changes]) => `#### ${subject}\n\n${changes.map(({ title }) => `- ${title}`).join('\n')}`)
    .join('\n\n');
}

/** What a release adds to the changelog. */
export interface ReleasedChanges {
  readonly version: string;
  /** `2026-11-28` */
  readonly date: string;
  readonly commits: readonly Commit[];
  /** Of the packages, in the order in which they are listed. */
  readonly folders: readonly string[];
}

/** The changelog in which "Unreleased" became a release, with the changes of each package, and is empty again. */
export function withRelease(changelog: string, { version, date, commits, folders }: ReleasedChanges): string {
  const { summary, breaking, upgradeNotes } = readUnreleased(changelog);
  const parts = { Breaking: breaking, 'Upgrade notes': upgradeNotes, Changes: changesOf(commits, folders) };
  const written = Object.entries(parts)
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => `### ${heading}\n\n${text}\n`);
  const release = [`## ${version} (${date})\n`, `${summary}\n`, ...written].join('\n');
  const empty = '## Unreleased\n\n### Breaking\n\n### Upgrade notes\n';
  return changelog.replace(unreleased, (_, _text, offset: number, whole: string) => {
    const isLast = whole.slice(offset + 1).search(/^## /m) < 0;
    return `${empty}\n${release}${isLast ? '' : '\n'}`;
  });
}
