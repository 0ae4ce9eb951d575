/** How calls are grouped. */
export interface GroupingOptions<Request, Result> {
  /** Most of one group. */
  readonly most: number;
  /** Two calls with the same key are never under way at once; left out where any two may be. */
  readonly keyOf?: (request: Request) => string;
  /** Does a group; one result for each, in their order. */
  readonly run: (requests: readonly Request[]) => Promise<readonly PromiseSettledResult<Result>[]>;
}

interface Waiting<Request, Result> {
  readonly request: Request;
  readonly key: string | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

// A group that is held up, by a destination that is being closed, does not hold up those behind it.
const slowAfterMs = 50;
// What is slow included; each takes a connection.
const mostUnderWay = 4;

/**
 * Groups calls: one that comes alone goes at once, those that come while it is under way go together after it. So the
 * cost of a round trip and of a commit is shared by as many as there are, and nobody waits for others to come.
 */
export function groupCalls<Request, Result>(
  options: GroupingOptions<Request, Result>,
): (request: Request) => Promise<Result> {
  const { most, keyOf, run } = options;
  let waiting: Waiting<Request, Result>[] = [];
  const busyKeys = new Set<string>();
  let underWay = 0;
  let slow = 0;
  let isPlanned = false;

  function take(): Waiting<Request, Result>[] {
    const taken: Waiting<Request, Result>[] = [];
    waiting = waiting.filter((call) => {
      if (taken.length === most || (call.key !== undefined && busyKeys.has(call.key))) return true;
      if (call.key !== undefined) busyKeys.add(call.key);
      taken.push(call);
      return false;
    });
    return taken;
  }

  async function settle(group: readonly Waiting<Request, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ request }) => request));
      for (const [place, { resolve, reject }] of group.entries()) {
        const result = results[place];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason ?? new Error('a call in a group has no result'));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function start(): Promise<void> {
    isPlanned = false;
    const group = take();
    if (group.length === 0) return;
    underWay += 1;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slow += 1;
      plan();
    }, slowAfterMs);
    await settle(group);
    clearTimeout(timer);
    underWay -= 1;
    if (isSlow) slow -= 1;
    for (const { key } of group) if (key !== undefined) busyKeys.delete(key);
    plan();
  }

  function plan(): void {
    if (isPlanned || waiting.length === 0 || underWay > slow || underWay >= mostUnderWay) return;
    isPlanned = true;
    // What comes in this turn of the event loop goes together.
    setImmediate(start);
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, key: keyOf?.(request), resolve, reject });
      plan();
    });
}
