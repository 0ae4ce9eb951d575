import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type BookingSystemManifest,
  manifestSchema,
  type PluginTier,
  pluginTierSchema,
} from '@waiver-service/core';
import { z } from 'zod';
import type { Workspace, WorkspacePackage } from '../workspace.ts';

/** The quality rules, with their titles in the table of plugins. */
export const ruleTitles = {
  fixtures: 'Fixtures of each form',
  'error-mapping': 'Error mapping',
  'write-back': 'Write-back',
  void: 'Void',
  inbound: 'Inbound calls',
  'settings-documented': 'Settings documented',
  traps: 'Traps',
  limits: 'Limits',
  'real-http-test': 'Real HTTP test',
  readme: 'README',
} as const;

/** The name of a rule in `quality.json`. */
export type RuleName = keyof typeof ruleTitles;

const reason = z.string().min(10, 'must be a reason that tells the reader something');

const ruleStateSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('done') }),
  z.strictObject({ state: z.literal('todo'), reason }),
  z.strictObject({ state: z.literal('exempt'), reason }),
]);

/** A plugin's state for one rule: `done`, or `todo` or `exempt` with a reason. */
type RuleState = z.infer<typeof ruleStateSchema>;

/** A plugin's `quality.json`: its tier, and every rule, and no other. */
const qualityFileSchema = z.strictObject({
  tier: pluginTierSchema,
  rules: z.strictObject({
    fixtures: ruleStateSchema,
    'error-mapping': ruleStateSchema,
    'write-back': ruleStateSchema,
    void: ruleStateSchema,
    inbound: ruleStateSchema,
    'settings-documented': ruleStateSchema,
    traps: ruleStateSchema,
    limits: ruleStateSchema,
    'real-http-test': ruleStateSchema,
    readme: ruleStateSchema,
  } satisfies Record<RuleName, typeof ruleStateSchema>),
});

/** The names of the rules, in the order of the table. */
export const ruleNames = qualityFileSchema.shape.rules.keyof().options;

/** A field of a plugin's settings or account information. */
export interface DescribedField {
  readonly key: string;
  readonly description: string | undefined;
}

/** A JSON file of `fixtures/`. */
export interface Fixture {
  /** Relative to the plugin's folder: `fixtures/current.json`. */
  readonly path: string;
  /** Undefined if the file is not JSON. */
  readonly body: unknown;
}

export interface ExaminedPlugin {
  readonly folder: string;
  readonly manifest: BookingSystemManifest;
  readonly tier: PluginTier;
  readonly rules: Readonly<Record<RuleName, RuleState>>;
  readonly settings: readonly DescribedField[];
  readonly account: readonly DescribedField[];
  readonly readme: string;
  readonly fixtures: readonly Fixture[];
  /** Whether a host test runs it against its simulator. */
  readonly hasJourney: boolean;
}

/** A plugin, or why it could not be examined. */
export type Examination = { readonly plugin: ExaminedPlugin } | { readonly problems: readonly string[] };

const isSchema = (value: unknown) => typeof value === 'object' && value !== null && 'safeParse' in value;
const moduleSchema = z.object({
  default: z.looseObject({
    settingsSchema: z.custom<z.ZodType>(isSchema, 'is not a zod schema'),
    accountSchema: z.custom<z.ZodType>(isSchema, 'is not a zod schema'),
  }),
});
const fieldsSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().optional() })).optional(),
});

function fieldsOf(schema: z.ZodType): DescribedField[] {
  const { properties = {} } = fieldsSchema.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  );
  return Object.entries(properties).map(([key, { description }]) => ({ key, description }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const sentences = (error: z.ZodError) =>
  error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);

async function examine(root: string, { folder }: WorkspacePackage): Promise<Examination> {
  const read = (path: string) => readFileSync(join(root, folder, path), 'utf8');
  const quality = qualityFileSchema.safeParse(parseJson(read('quality.json')));
  if (!quality.success) {
    return { problems: sentences(quality.error).map((said) => `${folder}/quality.json: ${said}`) };
  }
  const imported: unknown = await import(pathToFileURL(join(root, folder, 'src/index.ts')).href);
  const exported = moduleSchema.safeParse(imported);
  if (!exported.success) {
    return { problems: [`${folder}/src/index.ts: has no default export made with defineBookingSystem`] };
  }
  const { settingsSchema, accountSchema } = exported.data.default;
  const manifest = manifestSchema.safeParse(exported.data.default);
  if (!manifest.success) {
    return { problems: sentences(manifest.error).map((said) => `${folder}/src/index.ts: ${said}`) };
  }
  const plugin: ExaminedPlugin = {
    folder,
    manifest: manifest.data,
    tier: quality.data.tier,
    rules: quality.data.rules,
    settings: fieldsOf(settingsSchema),
    account: fieldsOf(accountSchema),
    readme: read('README.md'),
    fixtures: globSync('fixtures/**/*.json', { cwd: join(root, folder) })
      .toSorted()
      .map((path) => ({ path, body: parseJson(read(path)) })),
    hasJourney: existsSync(join(root, folder, 'test/journey.ts')),
  };
  return { plugin };
}

/**
 * Reads every plugin of the workspace, and imports it for its manifest. Skips plugins without a required file, which
 * another check reports.
 */
export function examinePlugins({ root, packages }: Workspace): Promise<Examination[]> {
  const whole = packages.filter(
    ({ folder }) =>
      folder.startsWith('plugins/') &&
      ['src/index.ts', 'quality.json', 'README.md'].every((file) => existsSync(join(root, folder, file))),
  );
  return Promise.all(
    whole.map((one) =>
      examine(root, one).catch((error: unknown) => ({
        problems: [
          `${one.folder}/src/index.ts: loading it failed: ${error instanceof Error ? error.message : String(error)}`,
        ],
      })),
    ),
  );
}
