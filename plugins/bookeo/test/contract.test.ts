import { runContractSuite } from '@waiver-service/contract-suite';
import bookeo from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(bookeo, { settings: { secretKey: 'planted-secret-key-2b7c4e' }, native: scenarios });
