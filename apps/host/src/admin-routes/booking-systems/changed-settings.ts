import { type BookingSystemPlugin, describeIssue } from '@waiver-service/core';
import { malformed } from '../../http/http-problem.ts';
import { problemDetails } from '../../http/validation.ts';
import { describedBy } from './booking-system-answer.ts';

type Settings = Readonly<Record<string, unknown>>;

// A name unknown to the plugin is most likely misspelled.
function refuseUnknownNames(plugin: BookingSystemPlugin, given: Settings): void {
  const { properties, additionalProperties } = describedBy(plugin.settingsSchema);
  if (typeof properties !== 'object' || properties === null || additionalProperties) return;
  const known = Object.keys(properties);
  const errors = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `settings.${name}`,
      message: `is not a setting of ${plugin.installName}; there are: ${known.join(', ') || 'none'}`,
    }));
  if (errors.length > 0) throw malformed(errors);
}

/**
 * Applies a change to a booking system's settings: omitted ones are kept, `null` removes one.
 * @throws HttpProblem 400 if the plugin's `settingsSchema` rejects the result
 */
export function changedSettings(
  plugin: BookingSystemPlugin,
  current: Settings,
  given: Settings,
): Record<string, unknown> {
  refuseUnknownNames(plugin, given);
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...given }).filter(([, value]) => value !== null),
  );
  const parsed = plugin.settingsSchema.safeParse(merged, { error: describeIssue });
  if (!parsed.success) throw malformed(problemDetails(parsed.error, 'settings'));
  return merged;
}
