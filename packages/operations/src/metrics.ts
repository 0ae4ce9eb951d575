import { setTimeout as delay } from 'node:timers/promises';
import { type HostApp, type RequestWatcher, whenAborted } from '@waiver-service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { OverviewStore, type ServiceFigures } from './data/overview.ts';

/**
 * Shares the result of work with all callers while it runs and for `cacheMs` afterwards, so that it runs once at a
 * time, however many call. Shares failures, too.
 */
export function shareResult<Result>(work: () => Promise<Result>, cacheMs: number): () => Promise<Result> {
  let shared: Promise<Result> | undefined;
  const start = () => {
    const result = work();
    const forget = () => {
      setTimeout(() => {
        shared = undefined;
      }, cacheMs).unref();
    };
    result.then(forget, forget);
    return result;
  };
  return () => {
    shared ??= start();
    return shared;
  };
}

const countWithinMs = 1_000;
const textCacheMs = 1_000;
const countCacheMs = 1_000;
const oldestCacheMs = 60_000;

const gauges: readonly {
  readonly name: string;
  readonly help: string;
  readonly figure: keyof ServiceFigures;
}[] = [
  {
    name: 'waiver_service_first_attempt_delay_seconds',
    help: 'How long the longest-waiting first attempt is due at a destination that works, over all hosts.',
    figure: 'firstAttemptDelaySeconds',
  },
  {
    name: 'waiver_service_failing_destinations',
    help: 'Destinations whose last call failed and that are not paused, over all hosts.',
    figure: 'failingDestinations',
  },
  {
    name: 'waiver_service_paused_destinations',
    help: 'Destinations that are paused, by failures or by a person, over all hosts.',
    figure: 'pausedDestinations',
  },
  {
    name: 'waiver_service_dead_letters',
    help: 'Deliveries that failed for good and were not retried, over all hosts; 10000 are counted at most.',
    figure: 'deadLetters',
  },
  {
    name: 'waiver_service_installations_needing_attention',
    help: 'Installations whose authorization their booking system refuses, over all hosts.',
    figure: 'lostAuthorizations',
  },
  {
    name: 'waiver_service_pending_installations',
    help: 'Installations that wait for approval, over all hosts.',
    figure: 'pendingInstallations',
  },
  {
    name: 'waiver_service_failing_alerts',
    help: 'Alerts whose receiver fails, over all hosts.',
    figure: 'failingAlerts',
  },
  {
    name: 'waiver_service_sealing_delay_seconds',
    help: 'How long the oldest signed record waits to be sealed, over all hosts.',
    figure: 'sealingDelaySeconds',
  },
  {
    name: 'waiver_service_unstamped_days',
    help: 'Days whose evidence waits for its outside stamp, over all hosts.',
    figure: 'unstampedDays',
  },
  {
    name: 'waiver_service_dispatchers',
    help: 'Processes that send, over all hosts.',
    figure: 'dispatchers',
  },
];

/**
 * The host's metrics. No label contains a name, an id or an address. A count across all hosts that fails is omitted.
 */
@injectable()
export class HostMetrics implements RequestWatcher {
  private sending: { readonly inFlight: number } = { inFlight: 0 };
  private readonly registry = new Registry();
  readonly contentType = this.registry.contentType;
  /** All metrics as text. */
  readonly text = shareResult(() => this.registry.metrics(), textCacheMs);
  private readonly registers = [this.registry];
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by method, route and status; aborted: the caller hung up first.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: this.registers,
  });
  private readonly attempts = new Counter({
    name: 'waiver_service_delivery_attempts_total',
    help: 'Attempts to deliver, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers: this.registers,
  });

  constructor(
    @inject(OverviewStore)
    { outbox, overviews, retention }: Pick<OverviewStore, 'outbox' | 'overviews' | 'retention'>,
  ) {
    const { registers } = this;
    const inFlight = () => this.sending.inFlight;
    const sharedCounts = shareResult(() => outbox.countLanes(), countCacheMs);
    const sharedFigures = shareResult(() => overviews.readFigures(), countCacheMs);
    const sharedOldest = shareResult(() => retention.oldestKept(), oldestCacheMs);
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'waiver_service_deliveries_in_flight',
      help: 'Deliveries that this process is sending.',
      registers,
      collect() {
        this.set(inFlight());
      },
    });
    new Gauge({
      name: 'waiver_service_lanes',
      help: 'Lanes (one waiver or booking at one destination) with something to send, over all hosts; 10000 are counted at most.',
      labelNames: ['kind', 'state'],
      registers,
      async collect() {
        this.reset();
        // Metrics matter most when something is down: the others are reported even without the database.
        const late = delay(countWithinMs, [], { ref: false });
        const counts = await Promise.race([sharedCounts(), late]).catch(() => []);
        for (const { kind, state, lanes } of counts) this.set({ kind, state }, lanes);
      },
    });
    for (const { name, help, figure } of gauges) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const late = delay(countWithinMs, undefined, { ref: false });
          const figures = await Promise.race([sharedFigures(), late]).catch(() => undefined);
          if (figures === undefined) this.remove();
          else this.set(figures[figure]);
        },
      });
    }
    new Counter({
      name: 'waiver_service_pruned_total',
      help: 'What this process has removed because of its age, by kind.',
      labelNames: ['kind'],
      registers,
      collect() {
        this.reset();
        for (const [kind, count] of Object.entries(retention.pruned)) this.inc({ kind }, count);
      },
    });
    new Gauge({
      name: 'waiver_service_oldest_kept_seconds',
      help: 'The age of the oldest delivery, and how long the retention of a waiver has been running at most, over all hosts.',
      labelNames: ['kind'],
      registers,
      async collect() {
        this.reset();
        const late = delay(countWithinMs, [], { ref: false });
        const oldest = await Promise.race([sharedOldest(), late]).catch(() => []);
        for (const { kind, ageSeconds } of oldest) this.set({ kind }, ageSeconds);
      },
    });
  }

  /** Counts an attempt to deliver. */
  countAttempt(kind: string, outcome: string): void {
    this.attempts.inc({ kind, outcome });
  }

  /** Reports what this process has in flight; 0 if it does not send. */
  watchSending(watched: { readonly inFlight: number }): void {
    this.sending = watched;
  }

  watch(app: HostApp): void {
    const observe = ({ method, routeOptions }: FastifyRequest, reply: FastifyReply, status: string) => {
      this.requests.observe({ method, route: routeOptions.url ?? 'none', status }, reply.elapsedTime / 1000);
    };
    app.addHook('onResponse', (request, reply, done) => {
      observe(request, reply, String(reply.statusCode));
      done();
    });
    whenAborted(app, (request, reply) => observe(request, reply, 'aborted'));
  }
}
