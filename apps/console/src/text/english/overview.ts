import { count, plural } from './numbers.ts';

export const overviewTexts = {
  overview: {
    waiting: 'Waiting',
    oldest: 'Oldest',
    nothingWaits: 'Nothing waits',
    dead: 'Failed',
    show: 'Show them',
    failing: 'Failing destinations',
    paused: (paused: number) => (paused === 0 ? 'None paused' : `${count(paused)} paused`),
    delivered: 'Delivered',
    failedAttempts: 'Failed attempts',
    attemptsFailed: (failed: number) => plural(failed, 'attempt failed', 'attempts failed'),
    throughput: 'Throughput',
    throughputSummary: (delivered: number, failed: number) =>
      `${count(delivered)} delivered and ${plural(failed, 'attempt', 'attempts')} failed in this period.`,
    latency: 'How long destinations take to answer',
    latencySummary: 'The median and the 95th percentile of the time that destinations took to answer.',
    median: 'Median',
    p95: '95th percentile',
    attention: 'Needs attention',
    allWell: 'Every destination takes what is sent to it',
    waitingHere: (waiting: number) => `${count(waiting)} waiting`,
  },
} as const;
