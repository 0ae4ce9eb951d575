import { isBuiltin } from 'node:module';
import type { SourceFile, Workspace } from './workspace.ts';

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

const why = 'a plugin has no way out but context.http';

/** Node.js modules without I/O; all others are closed to plugins. */
const openModules = /^(?:node:)?(?:assert|buffer|crypto|querystring|string_decoder|url|util)(?:\/|$)/;

/** Packages that open connections. Incomplete: the contract suite notices others at run time. */
const clientPackages =
  /^(?:axios|cross-fetch|eventsource|follow-redirects|got|isomorphic-fetch|ky|needle|node-fetch|ofetch|phin|request|superagent|undici|wretch|ws)(?:\/|$)/;

/** Globals that open connections, or reach closed modules or such globals by a name not visible here. */
const closedGlobals =
  /(?<![.\w$])(fetch|WebSocket|EventSource|XMLHttpRequest|globalThis|global|process|require|eval)\b(?!\s*\??:)/g;

const dynamicImport = /(?<![.\w$])import\(\s*(?!['"])/;

/** A source without comments and quoted texts. */
const codeOf = (source: string) =>
  source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, (token) =>
    token.startsWith('/') ? ' ' : "''",
  );

function problemsOf({ path, text, imports }: SourceFile): string[] {
  const modules = imports.filter(
    (module) => (isBuiltin(module) && !openModules.test(module)) || clientPackages.test(module),
  );
  const globals = new Set(Array.from(codeOf(text).matchAll(closedGlobals), ([, name = '']) => name));
  return [
    ...modules.map((module) => `${path}: imports ${module}, but ${why}`),
    ...[...globals].map((name) => `${path}: uses ${name}, but ${why}`),
    ...(dynamicImport.test(text) ? [`${path}: imports a module by a computed name, but ${why}`] : []),
  ];
}

/** Ways around the guarded client in plugins' sources. Their tests may use any. */
export function findPluginEscapes({ packages }: Workspace): string[] {
  return packages
    .filter(({ folder }) => folder.startsWith('plugins/'))
    .flatMap(({ files }) => files.filter(({ path }) => path.includes('/src/')).flatMap(problemsOf));
}
