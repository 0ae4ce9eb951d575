import { pluginTierSchema } from '@waiver-service/core';
import { z } from 'zod';

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
export type RuleState = z.infer<typeof ruleStateSchema>;

/** A plugin's `quality.json`: its tier, and every rule, and no other. */
export const qualityFileSchema = z.strictObject({
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
