import { tokenPlugin } from './token-plugin.ts';

/** For a host in a separate process: see {@link replacingStandard}. */
export default tokenPlugin('authorization-code', 'standard');
