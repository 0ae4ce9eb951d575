import { isBuiltin } from 'node:module';
import type { SourceFile, Workspace } from './workspace.ts';

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
