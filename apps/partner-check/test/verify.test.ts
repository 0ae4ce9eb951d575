import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstHead, nextHead, publicKeyText, sealRecord, signHead } from '@waiver-service/evidence';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../src/options.ts';
import { verify } from '../src/verify.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const record = sealRecord({ core: {}, person: { name: 'Zoë' }, sensitive: null, ink: null, trace: null });
const first = firstHead('rafting');
const head = nextHead(first, record.leaf);
const evidence = JSON.stringify({
  format: 'waiver-evidence/1',
  pool: 'rafting',
  publicKey: publicKeyText(privateKey),
  record: { ...record, entries: [], photos: [] },
  later: [],
  chain: [
    {
      ...head,
      former: first.head,
      leaf: record.leaf,
      signed: signHead('rafting', head, new Date(), privateKey),
    },
  ],
});

function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-evidence-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'evidence.json');
  writeFileSync(file, content);
  return file;
}

function run(...args: readonly string[]) {
  const lines: string[] = [];
  const status = verify(args, (text) => lines.push(text));
  return { status, output: lines.join('\n') };
}

test('says what is proven and what is not', () => {
  const { status, output } = run(fileWith(evidence));
  expect(status).toBe(0);
  expect(output).toMatch(/^Proven:\n- The signing: .*\n- The signing is number 1 /);
  expect(output).toContain('\nNot proven:\n- When it was: ');
  expect(output).toMatch(/\nNothing was changed\.$/);
});

test('names what was changed, with exit status 1', () => {
  const { status, output } = run(fileWith(evidence.replace('Zoë', 'Zoe')));
  expect(status).toBe(1);
  expect(output).toMatch(/^Changed:\n- The signing: part person is not what was sealed\./);
  expect(output).toMatch(/\nThis file was changed\. Do not rely on it\.$/);
});

test('writes JSON', () => {
  const { status, output } = run('--json', fileWith('{}'));
  expect(status).toBe(1);
  expect(JSON.parse(output)).toEqual({
    unchanged: false,
    findings: [{ status: 'changed', sentence: expect.stringContaining('no waiver-evidence/1 file') }],
  });
});

test('compares the key, written with colons or without', () => {
  const file = fileWith(evidence);
  const [, found = ''] = /is it ([0-9a-f]{64})\?/.exec(run(file).output) ?? [];
  expect(run(file, '--key', found).output).toContain('The key is the expected one');
  const written = found.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:');
  expect(run(file, '--key', written).status).toBe(0);
  expect(run(file, '--key', '0'.repeat(64)).status).toBe(1);
});

test.each([
  [[], /takes one file/],
  [['a.json', 'b.json'], /takes one file/],
  [['/no/such/file.json'], /cannot read \/no\/such\/file\.json: ENOENT/],
  [['a.json', '--key', 'abc'], /--key is no SHA-256 in hex/],
  [['a.json', '--force'], /--force/],
])('%j is a wrong call', (args, message) => {
  expect(() => run(...args)).toThrow(UsageError);
  expect(() => run(...args)).toThrow(message);
});

test('as a command needs neither database nor settings', async () => {
  const program = join(import.meta.dirname, '../bin/waiver-service.js');
  const child = spawn(process.execPath, [program, 'verify', '-'], {
    env: { PATH: process.env.PATH, DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stdin.end(evidence.replace('Zoë', 'Zoe'));
  const [status] = await once(child, 'close');
  expect(status).toBe(1);
  expect(output).toContain('part person is not what was sealed');
});

test('explains itself', () => {
  const { status, output } = run('--help');
  expect(status).toBe(0);
  expect(output).toContain('waiver-service verify <file>');
});
