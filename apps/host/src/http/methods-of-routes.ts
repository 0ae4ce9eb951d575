import type { HostApp } from './host-app.ts';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : escaped(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

/** Collects the routes that are added from now on; the result says which methods a path takes. */
export function methodsOfRoutes(app: HostApp): (path: string) => string[] {
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
