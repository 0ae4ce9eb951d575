import { count } from '../formats.ts';
import { plural } from './numbers.ts';

export const overviewTexts = {
  overview: {
    waiting: 'Waiting',
    oldest: 'Oldest',
    nothingWaits: 'Nothing waiting',
    dead: 'Failed',
    show: 'Show failed',
    failing: 'Failing destinations',
    paused: (paused: number) => (paused === 0 ? 'None paused' : `${count(paused)} paused`),
    delivered: 'Delivered',
    failedAttempts: 'Failed attempts',
    attemptsFailed: (failed: number) => plural(failed, 'attempt failed', 'attempts failed'),
    throughput: 'Throughput',
    throughputSummary: (delivered: number, failed: number) =>
      `${count(delivered)} delivered and ${plural(failed, 'attempt', 'attempts')} failed in this period.`,
    latency: 'Response time of destinations',
    latencySummary: 'The median and the 95th percentile of the response times of destinations.',
    median: 'Median',
    p95: '95th percentile',
    attention: 'Needs attention',
    allWell: 'All destinations are working',
    allWellHint: 'Booking systems and webhooks that fail or are paused appear here.',
    moreGuests: 'More guests',
    waitingHere: (waiting: number) => `${count(waiting)} waiting`,
  },
} as const;
