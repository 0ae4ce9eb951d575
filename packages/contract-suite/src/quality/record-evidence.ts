/** Setup of plugins' test files: records what their tests ran in the file's `meta`, for the quality reporter. */
import fs from 'node:fs';
import { type Debugger, type Profiler, Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { type LoadedSource, pluginFolderOf, unrunCode } from './plugin-evidence.ts';

const simulatorAnswers = /\/simulator\/(?:src|dist)\/http\/received-request\.[jt]s$/;

const filesRead = new Set<string>();
const noting = <Read extends (...parameters: never[]) => unknown>(read: Read): Read =>
  new Proxy(read, {
    apply(target, self, parameters: unknown[]) {
      const [from] = parameters;
      filesRead.add(from instanceof URL ? fileURLToPath(from) : resolve(String(from)));
      return Reflect.apply(target, self, parameters);
    },
  });
fs.readFileSync = noting(fs.readFileSync);
fs.promises.readFile = noting(fs.promises.readFile);
syncBuiltinESMExports();

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const hasRun = ({ functions }: Profiler.ScriptCoverage) =>
  functions.some(({ functionName, ranges }) => functionName === 'sendAnswer' && (ranges[0]?.count ?? 0) > 0);

async function loadedSource(script: Profiler.ScriptCoverage): Promise<LoadedSource> {
  const { scriptSource: code }: Debugger.GetScriptSourceReturnType = await inspector.post(
    'Debugger.getScriptSource',
    { scriptId: script.scriptId },
  );
  return { codeLength: code.length, unrun: unrunCode(code, script) };
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest needs the pattern to see that no fixtures are used.
afterAll(async ({}, { file, meta }) => {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Debugger.enable');
  const folder = pluginFolderOf(file.filepath);
  const isBelow = (name: string, path: string) =>
    folder !== undefined && path.startsWith(`${join(folder, name)}${sep}`);
  const sources: Record<string, LoadedSource> = {};
  for (const script of result) {
    const path = script.url.startsWith('file:') ? fileURLToPath(script.url) : script.url;
    if (isBelow('src', path)) sources[path] = await loadedSource(script);
  }
  inspector.disconnect();
  meta.fileEvidence = {
    fixtures: [...filesRead].filter((path) => isBelow('fixtures', path)),
    isSimulatorAsked: result.some((script) => simulatorAnswers.test(script.url) && hasRun(script)),
    sources,
  };
});
