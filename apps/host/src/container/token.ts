import type { ServiceIdentifier } from 'inversify';

/** A name by which the container is asked for a service; the compiler knows the service's type. */
export const token = <Service>(name: string): ServiceIdentifier<Service> => Symbol(name);
