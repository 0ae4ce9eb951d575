import { runContractSuite } from '../src/index.ts';
import { goodNativePlugin, nativeOptions } from './good-native-plugin.ts';
import { goodPlugin } from './good-plugins.ts';

runContractSuite(goodPlugin);
runContractSuite(goodNativePlugin, nativeOptions);
