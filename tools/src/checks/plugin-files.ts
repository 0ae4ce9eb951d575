import type { Workspace } from './workspace.ts';

/**
 * The naming rule for plugins' sources: a file for each word, and a folder of the same name for its parts. The words of
 * the first group name functions of the plugin interface; docs/plugins/writing-a-plugin.md explains all of them.
 */
export const pluginFileWords: Readonly<Record<string, string>> = {
  authenticate: '`authenticate`: signs each request',
  read: '`fetchBooking`',
  list: '`listBookings`, `changesSince` and `checkAccess`',
  write: '`pushWaiver`',
  inbound: '`parseInbound`, `inboundAuthenticity`, `inboundAccount`, and `webhooks`, which registers ours',
  session: '`session`: how a token is got',
  index: 'the definition',
  account: 'the schema of the account, if there are no settings',
  settings: 'the schemas of settings and account',
  answers:
    '`judgeAnswer`, `statusMap` if the statuses have rules, and the errors that reading and writing share',
  requests: 'the vendor’s requests, if several of the functions make the same ones',
};

const hasGrammar = /^(?:plugins\/[^/]+|packages\/octo-kit)\/src\/([^/.]+)/;

/** Checks that every source file of a plugin is named after one of the words, or is in a folder that is. */
export function findPluginFileProblems({ packages }: Workspace): string[] {
  return packages
    .flatMap(({ files }) => files)
    .flatMap(({ path }) => {
      const word = hasGrammar.exec(path)?.[1];
      if (word === undefined || Object.hasOwn(pluginFileWords, word)) return [];
      const words = Object.keys(pluginFileWords).join(', ');
      return [`${path}: name the file after its function, or put it into that function's folder: ${words}`];
    });
}
