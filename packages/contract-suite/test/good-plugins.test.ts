import { runContractSuite } from '../src/index.ts';
import { goodNativePlugin, nativeOptions } from './good-native-plugin.ts';
import {
  goodJudgingPlugin,
  goodLegacyPlugin,
  goodPlugin,
  goodQueryPlugin,
  goodWaiverIdPlugin,
  judgingOptions,
} from './good-plugins.ts';
import {
  authorizedOptions,
  goodAuthorizedPlugin,
  goodLoginPlugin,
  goodSessionPlugin,
  loginOptions,
  sessionOptions,
} from './good-session-plugin.ts';
import {
  goodQuerySignedPlugin,
  goodSignedPlugin,
  querySignedOptions,
  signedOptions,
} from './good-signed-plugin.ts';
import { goodTokenPlugin, tokenOptions } from './good-token-plugin.ts';
import { goodVerifiedPlugin, verifiedOptions } from './good-verified-plugin.ts';
import { goodWebhooksPlugin, webhookOptions } from './good-webhooks-plugin.ts';

runContractSuite(goodPlugin);
runContractSuite(goodQueryPlugin);
runContractSuite(goodWaiverIdPlugin);
runContractSuite(goodLegacyPlugin);
runContractSuite(goodNativePlugin, nativeOptions);
runContractSuite(goodWebhooksPlugin, webhookOptions);
runContractSuite(goodVerifiedPlugin, verifiedOptions);
runContractSuite(goodTokenPlugin, tokenOptions);
runContractSuite(goodSessionPlugin, sessionOptions);
runContractSuite(goodLoginPlugin, loginOptions);
runContractSuite(goodAuthorizedPlugin, authorizedOptions);
runContractSuite(goodSignedPlugin, signedOptions);
runContractSuite(goodQuerySignedPlugin, querySignedOptions);
runContractSuite(goodJudgingPlugin, judgingOptions);
