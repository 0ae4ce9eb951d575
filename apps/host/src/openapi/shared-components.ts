import { securityOf, sharedResponses } from './common-answers.ts';

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
  readonly required?: boolean;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  parameters?: Parameter[];
  security?: object;
  requestBody?: Response;
  readonly responses: Record<string, Response>;
}

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

const minUses = 3;

/** The parameters that many operations have, by name; a second one of the same name gets a number. */
function frequentParameters(operations: readonly Operation[]) {
  const parameters = operations.flatMap(({ parameters = [] }) => parameters);
  const uses = [...Map.groupBy(parameters, (parameter) => JSON.stringify(parameter)).values()];
  const named: Record<string, Parameter> = {};
  for (const [first, ...more] of uses) {
    if (!first?.name || more.length + 1 < minUses) continue;
    const others = Object.values(named).filter(({ name }) => name === first.name).length;
    named[others === 0 ? first.name : `${first.name}${others + 1}`] = first;
  }
  return named;
}

/** Creates a function that replaces the named objects by references to them. */
function referTo(section: string, named: Readonly<Record<string, object>>) {
  const names = new Map(Object.entries(named).map(([name, value]) => [JSON.stringify(value), name]));
  return <Value extends object>(value: Value) => {
    const name = names.get(JSON.stringify(value));
    return name === undefined ? value : { $ref: `#/components/${section}/${name}` };
  };
}

const problemContent = JSON.stringify(sharedResponses.Problem.content);

/** A refusal as the common one with a description of its own, which OpenAPI 3.1 lets a reference have. */
const withSharedContent = ({ description, ...response }: Response) =>
  JSON.stringify(response.content) === problemContent
    ? { $ref: '#/components/responses/Problem', description }
    : { description, ...response };

/** Leaves out a schema's description that its response or request body has, too. */
const withDescriptionOnce = ({ content = {}, ...response }: Response) => ({
  ...response,
  content: Object.fromEntries(
    Object.entries(content).map(([type, { schema, ...rest }]) => {
      const { description, ...plain }: { readonly description?: string } = schema ?? {};
      return [type, { ...rest, schema: description === response.description ? plain : schema }];
    }),
  ),
});

/** Says once what operations of an OpenAPI document share: responses, parameters, and how operators authenticate. */
export function withSharedComponents<Document extends object>(document: Document): Document {
  const { paths = {}, components }: Described = document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    // Parameters are optional by default.
    operation.parameters = operation.parameters?.map(({ required, ...parameter }) =>
      required ? { ...parameter, required } : parameter,
    );
  }
  const parameters = frequentParameters(operations);
  const responseOf = referTo('responses', sharedResponses);
  const parameterOf = referTo('parameters', parameters);
  const security = securityOf('owner');
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const shared = responseOf(response);
      operation.responses[status] =
        shared === response ? withSharedContent(withDescriptionOnce(response)) : shared;
    }
    operation.requestBody = operation.requestBody && withDescriptionOnce(operation.requestBody);
    if (operation.parameters) operation.parameters = operation.parameters.map(parameterOf);
    if (JSON.stringify(operation.security) === JSON.stringify(security)) delete operation.security;
  }
  return { ...document, security, components: { ...components, responses: sharedResponses, parameters } };
}
