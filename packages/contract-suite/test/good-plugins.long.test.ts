import { runContractSuite } from '../src/index.ts';
import {
  goodJudgingPlugin,
  goodLegacyPlugin,
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

runContractSuite(goodTokenPlugin, tokenOptions);
runContractSuite(goodSignedPlugin, signedOptions);
runContractSuite(goodQueryPlugin);
runContractSuite(goodWaiverIdPlugin);
runContractSuite(goodLegacyPlugin);
runContractSuite(goodWebhooksPlugin, webhookOptions);
runContractSuite(goodVerifiedPlugin, verifiedOptions);
runContractSuite(goodSessionPlugin, sessionOptions);
runContractSuite(goodLoginPlugin, loginOptions);
runContractSuite(goodAuthorizedPlugin, authorizedOptions);
runContractSuite(goodQuerySignedPlugin, querySignedOptions);
runContractSuite(goodJudgingPlugin, judgingOptions);
