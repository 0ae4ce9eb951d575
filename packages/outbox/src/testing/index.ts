export { openWaitingLanes, untilShardsShared, type WaitingLanes } from './waiting-lanes.ts';
