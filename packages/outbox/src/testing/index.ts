export { untilShardsShared } from './until-shards-shared.ts';
export { openWaitingLanes, type WaitingLanes } from './waiting-lanes.ts';
