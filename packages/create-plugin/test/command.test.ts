import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPlugin, nextSteps, readCommand } from '../src/command.ts';
import { OptionsError } from '../src/options.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'create-plugin-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('a command line', () => {
  test('names every option in the words of the usage', () => {
    const line = 'acme --display-name=Acme --auth-header-name x-key --path-shape query --guest-id none';
    expect(readCommand([...line.split(' '), '--forms', 'current,legacy'])?.options).toEqual({
      name: 'acme',
      displayName: 'Acme',
      authHeaderName: 'x-key',
      pathShape: 'query',
      guestId: 'none',
      forms: ['current', 'legacy'],
    });
    const native = 'tidal --native --auth oauth --write field --with lists,changes --pages cursor -y';
    expect(readCommand(native.split(' '))).toEqual({
      options: {
        name: 'tidal',
        native: true,
        auth: 'oauth',
        write: 'field',
        with: ['lists', 'changes'],
        pages: 'cursor',
      },
      mayAsk: false,
    });
  });

  test.each([[[]], [['--help']], [['acme', '-h']]])('%j asks for help', (args) => {
    expect(readCommand(args)).toBeUndefined();
  });

  test.each([[['acme', 'other']], [['acme', '--colour']], [['acme', '--forms']]])('%j is refused', (args) => {
    expect(() => readCommand(args)).toThrow(OptionsError);
  });
});

describe('the created folder', () => {
  const read = (path: string) => readFileSync(join(parent, 'waiver-service-plugin-acme', path), 'utf8');

  test('is a package by the name under which a host finds it, with all that a repository has', () => {
    expect(createPlugin({ name: 'acme', displayName: 'Acme "Rivers"' }, parent)).toBe(
      'waiver-service-plugin-acme',
    );
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'waiver-service-plugin-acme',
      description: 'Acme "Rivers" as a booking system of the waiver service',
      engines: { node: '>=24' },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      files: ['dist'],
      peerDependencies: { '@waiver-service/core': '^0.1.0', '@waiver-service/plugin-kit': '^0.1.0' },
    });
    expect(read('src/index.ts')).toContain('displayName: "Acme \\"Rivers\\""');
    expect(read('.gitignore')).toContain('node_modules/');
    expect(read('.github/workflows/ci.yml')).toContain('npm test');
    expect(read('README.md')).toMatch(/^# acme\n.*\n## Development\n/s);
    expect(JSON.parse(read('quality.json'))).toHaveProperty('rules.readme');
    expect(existsSync(join(parent, 'waiver-service-plugin-acme/development.md'))).toBe(false);
  });

  test.each(['src/index.ts', 'simulator/index.ts', 'test/scenarios.ts', 'fixtures/two-people.json'])(
    'of a vendor with its own API has %s',
    (path) => {
      createPlugin({ name: 'acme', native: true }, parent);
      expect(read(path)).not.toMatch(/\{\{\w+\}\}/);
    },
  );

  test.each(['recording-server', 'reservation', 'answer', 'server'])(
    'of a vendor named %s has no name twice',
    (name) => {
      const text = readFileSync(
        join(parent, createPlugin({ name, native: true }, parent), 'simulator/index.ts'),
        'utf8',
      );
      const local =
        /^ {2}(?:type )?(?:\w+ as )?(\w+),$|^export (?:async )?(?:interface|function|const) (\w+)/gm;
      const names = [...text.matchAll(local)].map(([, imported, declared]) => imported ?? declared);
      expect(names).toHaveLength(9);
      expect(new Set(names).size).toBe(9);
    },
  );

  test('of a recording has its response as fixture, a first mapping, and what it reads', () => {
    const from = join(parent, 'recording.json');
    const body = {
      order: {
        code: 'AB-1',
        status: 'PAID',
        buyer: { name: "O'Neil", email: 'o@example.com' },
        'attendee-list': [{ id: 7, full_name: 'Ada' }, { id: 8 }],
        slots: [{ starts_at: '2027-07-03T10:00:00+02:00', name: 'Fjord' }],
      },
    };
    const exchange = { request: { path: 'v1/orders/AB-1/full' }, answer: { status: 200, body } };
    writeFileSync(from, JSON.stringify({ bookingId: 'AB-1', exchanges: [exchange] }));
    createPlugin({ name: 'acme', native: true, from }, parent);
    expect(JSON.parse(read('fixtures/recorded.json'))).toEqual(body);
    const source = read('src/read.ts');
    for (const code of [
      "bookingSegment(bookingId, 'read')}/full`",
      "requiredText(reading, objectOf(body.order).code, 'order.code')",
      "requiredObjects(reading, objectOf(body.order)['attendee-list'], 'order.attendee-list')",
      "statusMap = { PAID: 'active' }",
      'value.starts_at',
    ])
      expect(source).toContain(code);
    expect(read('test/scenarios.ts')).toContain('"startsAt": "2027-07-03T08:00:00Z"');
    expect(existsSync(join(parent, 'waiver-service-plugin-acme/simulator'))).toBe(false);
  });

  test.each([
    ['no JSON', 'x', /--from: .*JSON/],
    [
      'without a list of people',
      '{"id":1,"status":"ok","start":"2027-07-03T10:00:00Z"}',
      /no list of people/,
    ],
    ['without a start', '{"id":1,"status":"ok","guests":[{"id":1}]}', /no start with a time zone/],
  ])('is not begun with a body %s', (_what, text, sentence) => {
    const from = join(parent, 'body.json');
    writeFileSync(from, text);
    expect(() => createPlugin({ name: 'acme', native: true, from }, parent)).toThrow(OptionsError);
    expect(() => createPlugin({ name: 'acme', native: true, from }, parent)).toThrow(sentence);
  });

  test('is never written into one that has files', () => {
    const folder = join(parent, 'waiver-service-plugin-acme');
    mkdirSync(folder);
    createPlugin({ name: 'acme' }, parent);
    writeFileSync(join(folder, 'src/index.ts'), 'mine');
    expect(() => createPlugin({ name: 'acme' }, parent)).toThrow(/waiver-service-plugin-acme is not empty/);
    expect(read('src/index.ts')).toBe('mine');
  });
});

test('an author whose Node.js is too old is told how npm brings another', () => {
  expect(nextSteps('waiver-service-plugin-acme', '24.21.0')).toMatch(/\n {2}npm install\n {2}npm test\n$/);
  expect(nextSteps('waiver-service-plugin-acme', '20.20.2')).toMatch(
    /\n {2}npm install --save-dev node@24\n {2}npm test\n.*This is 20\.20\.2, so npm brings one/s,
  );
});
