import { runContractSuite } from '@waiver-service/contract-suite';
import plugin from '../src/index.ts';

runContractSuite(plugin);
