import { badAuthentications } from './authentication.ts';
import type { BadPlugins } from './bad-plugin.ts';
import { badClients } from './guarded-client.ts';
import { badGuestUpdateAnswers, badGuestUpdateRequests } from './guest-updates.ts';
import { badInbound } from './inbound.ts';
import { badManifests } from './manifest.ts';
import { badNativePlugins } from './native.ts';
import { badReadErrors } from './read-errors.ts';
import { badForms, badRequests } from './reading.ts';
import { badRequestLimits } from './requests.ts';
import { badSessions } from './sessions.ts';
import { badRefusals, badTolerances } from './tolerances.ts';
import { badWebhooks } from './webhooks.ts';

export const allBadPlugins: BadPlugins = {
  ...badManifests,
  ...badClients,
  ...badAuthentications,
  ...badSessions,
  ...badRequests,
  ...badForms,
  ...badTolerances,
  ...badRefusals,
  ...badReadErrors,
  ...badGuestUpdateRequests,
  ...badGuestUpdateAnswers,
  ...badNativePlugins,
  ...badInbound,
  ...badWebhooks,
  ...badRequestLimits,
};
