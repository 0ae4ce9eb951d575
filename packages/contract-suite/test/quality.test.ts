import { describe, expect, test } from 'vitest';
import { type PluginEvidence, unrunByBoth, unrunCode } from '../src/quality/plugin-evidence.ts';
import { unprovenClaims } from '../src/quality/quality-reporter.ts';

describe('code that was not run', () => {
  /** Execution counts for pieces of the code: the whole ran once, each piece as often as stated. */
  const counts = (code: string, ...pieces: readonly (readonly [text: string, count: number])[]) => ({
    functions: [['', 1] as const, ...pieces].map(([text, count]) => {
      const startOffset = code.indexOf(text);
      return { ranges: [{ startOffset, endOffset: startOffset + (text.length || code.length), count }] };
    }),
  });
  const textsOf = (code: string, ...pieces: readonly (readonly [text: string, count: number])[]) =>
    unrunCode(code, counts(code, ...pieces)).map(({ text }) => text);

  test('is a function never called, or a branch never taken, wherever it is nested', () => {
    const code = 'function read(a) { return a ? b : c; } function write() { save(); }';
    expect(textsOf(code)).toEqual([]);
    expect(textsOf(code, ['function read(a) { return a ? b : c; }', 3], [': c', 0])).toEqual([': c']);
    expect(textsOf(code, ['function write() { save(); }', 0])).toEqual(['function write() { save(); }']);
    expect(textsOf('a(() => { b(); c(); })', ['() => { b(); c(); }', 0], ['c();', 2])).toEqual([
      '() => { b();',
    ]);
  });

  test('is not what a person did not write, or what has nothing in it', () => {
    const exported = '__vite_ssr_exportName__("read", () => { try { return read } catch {} });';
    expect(textsOf(`${exported}\nread();`, ['catch {}', 0])).toEqual([]);
    expect(textsOf('if (a) { return 1; }\n}', ['\n}', 0])).toEqual([]);
  });

  test('is told as it stands in the source, on one line that is not too long', () => {
    const call = '(0,__vite_ssr_import_0__.textOf)(name)\n\t?? other';
    expect(textsOf(`x = ${call}`, [call, 0])).toEqual(['textOf(name) ?? other']);
    const thrown = 'throw new __vite_ssr_import_1__.WaiverRejected()';
    expect(textsOf(`a(); ${thrown}`, [thrown, 0])).toEqual(['throw new WaiverRejected()']);
    const long = `f("${'x'.repeat(100)}")`;
    expect(textsOf(`a; ${long}`, [long, 0])).toEqual([`${long.slice(0, 80)}…`]);
  });

  test('is what no test file ran: a piece of one that another one ran in part is the rest of it', () => {
    const piece = (start: number, end: number, text = '') => ({ start, end, text });
    expect(unrunByBoth([piece(0, 10)], [piece(10, 20)])).toEqual([]);
    expect(unrunByBoth([piece(0, 10, 'whole')], [piece(4, 6, 'part'), piece(8, 12, 'end')])).toEqual([
      piece(4, 6, 'part'),
      piece(8, 10, 'end'),
    ]);
    expect(unrunByBoth([], [piece(0, 10)])).toEqual([]);
  });
});

describe('what a plugin says is done', () => {
  const rules = ['fixtures', 'error-mapping', 'write-back', 'void', 'inbound', 'traps', 'real-http-test'];
  const plugin = {
    folder: 'plugins/acme',
    done: new Set(rules),
    fixtures: ['fixtures/a.json', 'fixtures/b.json'],
  };
  const scenario = (kind: PluginEvidence['scenarios'][number]['kind']) => ({ kind, name: 'a scenario' });
  const whole: PluginEvidence = {
    clauses: new Set(['error/500', 'native/bodies']),
    scenarios: [scenario('refusal'), scenario('guest-update'), scenario('void'), scenario('inbound')],
    trapTests: 1,
    unrun: ['`?? 0` of src/index.ts'],
    unrunShare: 0.01,
    fixtures: new Set(plugin.fixtures),
    isSimulatorAsked: true,
  };
  const unproven = (change: Partial<PluginEvidence>) => unprovenClaims(plugin, { ...whole, ...change });
  const without = (...kinds: readonly string[]) => ({
    scenarios: whole.scenarios.filter(({ kind }) => !kinds.includes(kind)),
  });

  test('is proven by what ran', () => {
    expect(unproven({})).toEqual([]);
    const judged = [...without('refusal').scenarios, scenario('judged')];
    expect(unproven({ scenarios: judged })).toEqual([]);
    const contract = ['error/500', 'guest-update/body', 'guest-update/void'];
    expect(unproven({ clauses: new Set(contract), scenarios: [] })).toEqual([]);
  });

  test.each<[string, Partial<PluginEvidence>, string]>([
    ['fixtures', { fixtures: new Set(['fixtures/a.json']) }, 'no test read fixtures/b.json'],
    ['error-mapping', { clauses: new Set(['native/bodies']) }, 'no test called runContractSuite'],
    ['error-mapping', without('refusal'), 'the vendor’s own words'],
    ['write-back', without('guest-update'), 'saw it write a waiver'],
    ['void', without('void'), 'a void that was accepted'],
    ['inbound', without('inbound'), 'no scenario among `inbound` was read'],
    ['traps', { trapTests: 0 }, 'no test of test/traps.test.ts passed'],
    ['traps', { unrunShare: 0.011 }, 'no test ran 1.1 % of its code: `?? 0` of src/index.ts'],
    ['real-http-test', { isSimulatorAsked: false }, 'no test called a simulated vendor over HTTP'],
  ])('%s is not, if something is missing: %#', (rule, change, missing) => {
    const start = `plugins/acme: quality.json says that ${rule} is done, but `;
    expect(unproven(change)).toEqual([expect.stringContaining(missing)]);
    expect(unproven(change)[0]).toContain(start);
    const others = { ...plugin, done: new Set(rules.filter((name) => name !== rule)) };
    expect(unprovenClaims(others, { ...whole, ...change })).toEqual([]);
  });

  test('of many things that are missing, the first are named and the others counted', () => {
    const unrun = Array.from({ length: 7 }, (_, index) => `piece ${index}`);
    expect(unproven({ unrun, unrunShare: 0.5 })).toEqual([
      expect.stringMatching(/: piece 0, .*piece 4 and 2 more$/),
    ]);
  });
});
