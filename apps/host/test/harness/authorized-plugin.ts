import { tokenPlugin } from '@waiver-service/testing/tokens';

/** For a host in a separate process: see {@link replacingStandard}. */
export default tokenPlugin('authorization-code', 'standard');
