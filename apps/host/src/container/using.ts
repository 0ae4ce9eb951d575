import type { ServiceIdentifier } from 'inversify';
import { type HostServices, tokens } from './tokens.ts';

// inversify passes services by position. The overload states what `using` ensures: each has the type of its name.
function named<Name extends keyof HostServices>(
  names: readonly Name[],
  services: readonly unknown[],
): Pick<HostServices, Name>;
function named(names: readonly string[], services: readonly unknown[]): object {
  return Object.fromEntries(names.map((name, index) => [name, services[index]]));
}

/**
 * The arguments of inversify's `toResolvedValue` for a function that takes the services it needs by name:
 * `bind(tokens.readiness).toResolvedValue(...using(['store'], createReadiness))`.
 */
export function using<Name extends keyof HostServices, Result>(
  names: readonly Name[],
  create: (services: Pick<HostServices, Name>) => Result,
): [create: (...services: unknown[]) => Result, identifiers: ServiceIdentifier[]] {
  return [(...services) => create(named(names, services)), names.map((name) => tokens[name])];
}
