import type { ServiceIdentifier } from 'inversify';

/** An inversify identifier that carries the type of its service. */
export const token = <Service>(name: string): ServiceIdentifier<Service> => Symbol(name);
