import { csvLine } from '@waiver-service/people/testing';
import { type TestHost, textAt } from '@waiver-service/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPeopleHost } from '../setup/people-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startPeopleHost({ settings: { role: 'api' } });
  await host.makePool('rafting');
  await host.makePool('canyoning');
});
afterAll(() => host?.close());

const exported = async (query: string) => (await host.admin('GET', `/v1/admin/audit/export?${query}`)).text;

describe('a line of CSV', () => {
  test.each([
    ...[
      '=1+1',
      '+1',
      '-1',
      '@x',
      '\tx',
      '\rx',
      '\nx',
      '\n=1',
      ' =1',
      '\u00a0=1',
      '\ufeff=1',
      '\u200b@x',
      '\u0000=1',
    ],
    ...['＝1+1', '＋1', '－1', '＠x', '−1', '﹣1', '﹢1', '﹦1', '﹫x', '\u3000＝1'],
  ])('makes no formula of %j', (text) => {
    expect(csvLine([text]).replace(/^"/, '')).toMatch(/^'/);
  });

  test('has quotes where needed, and empty fields for missing values', () => {
    expect(csvLine(['a', undefined, 200, 'a,b', 'a"b', 'a\nb'])).toBe('a,,200,"a,b","a""b","a\nb"\r\n');
  });

  test('can be read back, whatever is in it', () => {
    const read = (line: string) =>
      [...line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      );
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (fields) => {
        const shown = fields.map((field) =>
          /^[\t\r\n]|^[\s\p{C}\p{DI}]*[=+\-@−﹢﹣﹦﹫＝＋－＠]/u.test(field) ? `'${field}` : field,
        );
        expect(read(csvLine(fields))).toEqual(shown);
      }),
    );
  });
});

test('the audit log is exported as CSV and as JSON lines, and that is in it', async () => {
  const csv = await exported('format=csv&action=pool.put');
  const [head, ...rows] = csv.trim().split('\r\n');
  expect(head).toBe('id,at,actor,actorName,action,pool,target,status,requestId,address');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/,admin-token,admin,pool\.put,canyoning,,200,/);
  const lines = (await exported('format=ndjson&action=pool.put&pool=rafting')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ action: 'pool.put', pool: 'rafting' }]);
  const { body } = await host.admin('GET', '/v1/admin/audit?action=audit-entries.export');
  expect(body.items.length).toBeGreaterThan(0);
});

test('is in one of two formats', async () => {
  expect(await host.admin('GET', '/v1/admin/audit/export?format=xls')).toMatchObject({ status: 400 });
  expect(await host.admin('GET', '/v1/admin/audit/export')).toMatchObject({ status: 400 });
});

test('entries are found by a part of their target, by the name of who it was, and by a group of actions', async () => {
  const { body } = await host.admin('POST', '/v1/admin/booking-systems/standard/install-keys');
  const target = textAt(body, 'id');
  const list = async (query: string) => (await host.admin('GET', `/v1/admin/audit?${query}`)).body.items;
  expect(await list(`target=${target}`)).toMatchObject([{ target: `standard/${target}` }]);
  expect(await list('target=%25')).toEqual([]);
  expect((await list('actor=Admin&action=install-key')).length).toBe(1);
  expect(await list('action=install')).toEqual([]);
  expect((await host.admin('GET', `/v1/admin/audit?target=${'x'.repeat(513)}`)).status).toBe(400);
});
