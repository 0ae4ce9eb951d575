import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { textAt } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestHost } from '../harness/test-host.ts';

type SnippetLanguage = 'Node.js' | 'Python' | 'PHP' | 'Go';

const snippet = z.string();
const { signatureSnippets } = z
  .object({
    signatureSnippets: z.strictObject({ 'Node.js': snippet, Python: snippet, PHP: snippet, Go: snippet }),
  })
  .parse(await import(new URL('../../../console/src/text/signature-snippets.ts', import.meta.url).href));

interface Case {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const folder = mkdtempSync(join(tmpdir(), 'waiver-service-snippets-'));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** How each snippet is run: over the cases in a file of JSON, printing a list of booleans. */
const programs: Readonly<Record<SnippetLanguage, (cases: string) => [command: string, args: string[]]>> = {
  'Node.js': (cases) => {
    const program = `${signatureSnippets['Node.js']}
import { readFileSync } from 'node:fs';
const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify(cases.map(({ secret, headers, body }) => isAuthentic(secret, headers, Buffer.from(body)))));`;
    return [process.execPath, [file('snippet.mjs', program), cases]];
  },
  Python: (cases) => {
    const program = `${signatureSnippets.Python}
import json, sys
cases = json.load(open(sys.argv[1], encoding="utf8"))
print(json.dumps([is_authentic(one["secret"], one["headers"], one["body"].encode()) for one in cases]))`;
    return ['python3', [file('snippet.py', program), cases]];
  },
  PHP: (cases) => {
    const program = `${signatureSnippets.PHP}
$cases = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn ($one) => is_authentic($one['secret'], $one['headers'], $one['body']), $cases));`;
    return ['php', [file('snippet.php', program), cases]];
  },
  Go: (cases) => {
    const main = signatureSnippets.Go.replace('package webhooks', 'package main').replace(
      'import (',
      'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"',
    );
    const program = `${main}
func main() {
	text, _ := os.ReadFile(os.Args[1])
	var cases []struct {
		Secret  string            \`json:"secret"\`
		Headers map[string]string \`json:"headers"\`
		Body    string            \`json:"body"\`
	}
	json.Unmarshal(text, &cases)
	results := []bool{}
	for _, one := range cases {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		results = append(results, IsAuthentic(one.Secret, headers, []byte(one.Body)))
	}
	written, _ := json.Marshal(results)
	fmt.Println(string(written))
}`;
    return ['go', ['run', file('snippet.go', program), cases]];
  },
};

/** How each says its version, and Debian's package of it. */
const installed: Readonly<Record<SnippetLanguage, readonly [command: string, flag: string, debian: string]>> =
  {
    'Node.js': [process.execPath, '--version', 'nodejs'],
    Python: ['python3', '--version', 'python3'],
    PHP: ['php', '--version', 'php-cli'],
    Go: ['go', 'version', 'golang-go'],
  };
const isInstalled = (language: SnippetLanguage) => {
  const [command, flag] = installed[language];
  return spawnSync(command, [flag]).status === 0;
};

/** A message as the host sent it, and what must not be taken for it. */
let cases: readonly Case[];
let casesFile: string;
const expected = [true, false, false, false, false, false, true];

beforeAll(async () => {
  const [host, receiver] = await Promise.all([startTestHost(), startWebhookReceiver()]);
  await host.makePool('rafting');
  const webhooks = '/v1/admin/pools/rafting/webhooks';
  const added = await host.admin('POST', webhooks, {
    url: receiver.url,
    auth: { type: 'none' },
    signing: true,
  });
  const former = textAt(added.body, 'signingSecret');
  const webhook = `${webhooks}/${textAt(added.body, 'id')}`;
  const send = async () => {
    await host.admin('POST', `${webhook}/test`);
    const request = receiver.received.at(-1);
    if (request === undefined) throw new Error('nothing came');
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    return { headers, body: request.body.toString('utf8') };
  };
  const { headers, body } = await send();
  const rotated = await host.admin('POST', `${webhook}/rotate-secret`);
  const sinceRotation = await send();
  const stale = String(Math.floor(Date.now() / 1_000) - 3_600);
  cases = [
    { secret: former, headers, body },
    { secret: former, headers, body: `${body} ` },
    { secret: textAt(rotated.body, 'signingSecret'), headers, body },
    { secret: former, headers: { ...headers, 'webhook-id': 'another' }, body },
    { secret: former, headers: { ...headers, 'webhook-timestamp': stale }, body },
    { secret: former, headers: { 'webhook-id': 'x' }, body },
    { secret: former, ...sinceRotation },
  ];
  casesFile = file('cases.json', JSON.stringify(cases));
  await Promise.all([host.close(), receiver.close()]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const language of ['Node.js', 'Python', 'PHP', 'Go'] as const) {
  // The long form says what is missing.
  test.skipIf(!isInstalled(language))(
    `the snippet for ${language} takes a signed message, and nothing that was changed`,
    async () => {
      expect(isInstalled(language), `Debian's package ${installed[language][2]} is needed`).toBe(true);
      const [command, args] = programs[language](casesFile);
      const { stdout } = await promisify(execFile)(command, args);
      expect(JSON.parse(stdout)).toEqual(expected);
    },
  );
}
