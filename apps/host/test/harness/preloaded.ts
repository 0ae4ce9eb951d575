/**
 * A variable by which a spawned host runs some JavaScript first, for effects that cannot be caused from outside, such as
 * a wrong clock.
 */
export function preloading(code: string, ...options: readonly string[]): { readonly NODE_OPTIONS: string } {
  const url = `data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}`;
  return { NODE_OPTIONS: [...options, `--import=${url}`].join(' ') };
}

/** A clock that is wrong by so many milliseconds, and steps on by so many at each SIGUSR2. */
export function wrongClock(offByMs: number, stepMs = 0): { readonly NODE_OPTIONS: string } {
  return preloading(`
    const RealDate = Date;
    let offBy = ${offByMs};
    process.on('SIGUSR2', () => { offBy += ${stepMs}; });
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        if (given.length === 0) super(RealDate.now() + offBy);
        else super(...given);
      }
      static now() { return RealDate.now() + offBy; }
    };`);
}

/** Loads a module of the tests in place of the plugin `standard`. */
export function replacingStandard(module: URL): { readonly NODE_OPTIONS: string } {
  return preloading(`
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier === '@waiver-service/plugin-standard' ? ${JSON.stringify(module.href)} : specifier, context),
    });`);
}
