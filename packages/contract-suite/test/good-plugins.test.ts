import { runContractSuite } from '../src/index.ts';
import { goodNativePlugin, nativeOptions } from './good-native-plugin.ts';
import { goodPlugin } from './good-plugins.ts';
import { goodSignedPlugin, signedOptions } from './good-signed-plugin.ts';
import { goodTokenPlugin, tokenOptions } from './good-token-plugin.ts';

runContractSuite(goodPlugin);
runContractSuite(goodNativePlugin, nativeOptions);
runContractSuite(goodTokenPlugin, tokenOptions);
runContractSuite(goodSignedPlugin, signedOptions);
