import { tokenPlugin } from './token-plugin.ts';

/** For a host in a process of its own: see {@link replacingStandard}. */
export default tokenPlugin('authorization-code', 'standard');
