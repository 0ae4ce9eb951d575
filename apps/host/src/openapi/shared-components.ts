import { sharedResponses } from './common-answers.ts';

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
}

interface Operation {
  parameters?: Parameter[];
  readonly responses: Record<string, object>;
}

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

const minUses = 10;

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

/** Replaces the responses and parameters that many operations of an OpenAPI document share by references. */
export function withSharedComponents<Document extends object>(document: Document): Document {
  const { paths = {}, components }: Described = document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const parameters = frequentParameters(operations);
  const responseOf = referTo('responses', sharedResponses);
  const parameterOf = referTo('parameters', parameters);
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      operation.responses[status] = responseOf(response);
    }
    if (operation.parameters) operation.parameters = operation.parameters.map(parameterOf);
  }
  return { ...document, components: { ...components, responses: sharedResponses, parameters } };
}
