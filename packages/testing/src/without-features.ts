import { bearerToken, HttpProblem, type Person } from '@waiver-service/http';
import { Authentication, CheckIn, Store, waiverApp } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { adminToken } from './host-calls.ts';

const admin: Person = {
  kind: 'person',
  name: 'admin',
  role: 'owner',
  pools: 'all',
  proof: 'admin-token',
  actor: 'admin-token',
  seesGuests: true,
};

const persons = new Map<string, Person>([[adminToken, admin]]);

/** The token of a person with a role, for hosts without a feature that knows people. */
export function tokenOf(role: Person['role'], pools: Person['pools'] = 'all'): string {
  const token = `${role}-of-the-tests-${persons.size}`;
  const seesGuests = role !== 'viewer';
  persons.set(token, {
    ...admin,
    name: role,
    role,
    pools,
    proof: { credential: token },
    actor: token,
    seesGuests,
  });
  return token;
}

/** Knows the persons of the tests, and the access tokens of pools. */
const tokensOnly = ({ accessTokens }: Store): Authentication => ({
  async ofRequest(request) {
    const token = bearerToken(request);
    const person = persons.get(token ?? '');
    if (person !== undefined) return person;
    const setup = token === undefined ? undefined : await accessTokens.verify(token);
    if (setup === undefined) throw new HttpProblem(401, 'unauthorized', 'a token of the tests is needed');
    return waiverApp(setup);
  },
});

const nothingToSign: CheckIn = {
  hasForm: async () => false,
  tokenOf: async () => undefined,
  signingOf: async () => undefined,
  documentOf: () => async () => undefined,
};

/** What the contract needs of other features, for hosts that lack these. Load it last. */
export const withoutFeatures: ContainerModule = new ContainerModule(({ bind, isBound }) => {
  if (!isBound(Authentication)) bind(Authentication).toResolvedValue(tokensOnly, [Store]);
  if (!isBound(CheckIn)) bind(CheckIn).toConstantValue(nothingToSign);
});
