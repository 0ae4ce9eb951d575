/** Setup of plugins' test files: records what their tests ran in the file's `meta`, for the reporter. */
import fs from 'node:fs';
import { type Debugger, type Profiler, Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { type UnrunCode, unrunCode } from './unrun-code.ts';

/** A source file, and the parts of it that did not run. */
export interface LoadedSource {
  readonly codeLength: number;
  readonly unrun: readonly UnrunCode[];
}

/** The code that the tests of one file ran. */
export interface FileEvidence {
  /** The absolute paths of the files read from a folder `fixtures`. */
  readonly fixtures: readonly string[];
  /** Whether a simulated server answered over HTTP. */
  readonly isSimulatorAsked: boolean;
  /** The plugin sources that were loaded, by absolute path. */
  readonly sources: Readonly<Record<string, LoadedSource>>;
}

declare module 'vitest' {
  interface TaskMeta {
    fileEvidence?: FileEvidence;
  }
}

const pluginSource = /\/plugins\/[^/]+\/src\/.+\.ts$/;
const simulatorAnswers = /\/packages\/simulator\/src\/http\/received-request\.ts$/;
const fixture = /[/\\]plugins[/\\][^/\\]+[/\\]fixtures[/\\]/;

const fixtures = new Set<string>();
const noting = <Read extends (...parameters: never[]) => unknown>(read: Read): Read =>
  new Proxy(read, {
    apply(target, self, parameters: unknown[]) {
      const [from] = parameters;
      const path = from instanceof URL ? fileURLToPath(from) : String(from);
      if (fixture.test(path)) fixtures.add(path);
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
afterAll(async ({}, { meta }) => {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Debugger.enable');
  const sources: Record<string, LoadedSource> = {};
  for (const script of result.filter(({ url }) => pluginSource.test(url))) {
    sources[script.url.startsWith('file:') ? fileURLToPath(script.url) : script.url] =
      await loadedSource(script);
  }
  inspector.disconnect();
  meta.fileEvidence = {
    fixtures: [...fixtures],
    isSimulatorAsked: result.some((script) => simulatorAnswers.test(script.url) && hasRun(script)),
    sources,
  };
});
