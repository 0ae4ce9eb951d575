import type { ReceivedRequest, SimulatedAnswer } from './received-request.ts';

interface RecordedRequest<Route extends string> extends Omit<ReceivedRequest<Route>, 'answer'> {
  answer?: SimulatedAnswer;
}

/** The requests that a simulated server received, with a way to wait for more. */
export class RequestLog<Route extends string> {
  readonly requests: ReceivedRequest<Route>[] = [];
  readonly #watchers = new Set<() => void>();

  add(request: ReceivedRequest<Route>): RecordedRequest<Route> {
    const recorded: RecordedRequest<Route> = { ...request };
    this.requests.push(recorded);
    this.#wake();
    return recorded;
  }

  /** Records the response to a request. */
  answered(recorded: RecordedRequest<Route>, answer: SimulatedAnswer): SimulatedAnswer {
    recorded.answer = answer;
    this.#wake();
    return answer;
  }

  #wake(): void {
    for (const watch of this.#watchers) watch();
  }

  /** See `RecordingServer.untilReceived`. */
  async until(
    route: Route | 'other',
    condition: number | ((requests: readonly ReceivedRequest<Route>[]) => boolean),
    timeoutMilliseconds = 10_000,
  ): Promise<readonly ReceivedRequest<Route>[]> {
    const holds =
      typeof condition === 'number'
        ? (requests: readonly unknown[]) => requests.length >= condition
        : condition;
    const done = Promise.withResolvers<readonly ReceivedRequest<Route>[]>();
    const ofRoute = () => this.requests.filter((request) => request.route === route);
    const watch = () => {
      const requests = ofRoute();
      if (holds(requests)) done.resolve(requests);
    };
    const timer = setTimeout(() => {
      const received = this.requests.map(({ method, path }) => `${method} ${path}`).join(', ') || 'nothing';
      const wanted = typeof condition === 'number' ? `${condition} requests` : 'the requests waited for';
      done.reject(
        new Error(
          `${wanted} of "${route}" did not arrive in ${timeoutMilliseconds} ms; received: ${received}`,
        ),
      );
    }, timeoutMilliseconds);
    this.#watchers.add(watch);
    watch();
    try {
      return await done.promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(watch);
    }
  }
}
