import { HttpProblem } from '../answers/http-problem.ts';
import type { HostApp } from './host-app.ts';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

// Sees only routes that are added later.
function methodsOfRoutes(app: HostApp): (path: string) => string[] {
  const methodsByUrl = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsByUrl.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) entry.methods.add(one);
    methodsByUrl.set(url, entry);
  });
  return (path) => {
    const fitting = [...methodsByUrl.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort();
  };
}

export const nothingHere = (): HttpProblem =>
  new HttpProblem(404, 'not_found', 'There is nothing at this address.');

/** Responds 404, or 405 if a route that is added later has the path with other methods. */
export function answerUnknownAddresses(app: HostApp): void {
  const methodsOf = methodsOfRoutes(app);
  app.setNotFoundHandler((request) => {
    const [path = ''] = request.url.split('?', 1);
    const methods = methodsOf(path);
    if (methods.length === 0) throw nothingHere();
    throw new HttpProblem(405, 'method_not_allowed', `This address takes ${methods.join(', ')}.`, {
      headers: { allow: methods.join(', ') },
    });
  });
}
