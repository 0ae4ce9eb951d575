/**
 * The action of an operation in the audit log, from its id in the OpenAPI document: `createInstallKey` is
 * `install-key.create`. So every route has an action without declaring one.
 */
export function actionOf(operationId: string): string {
  const [verb = operationId, ...noun] = operationId.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return noun.length === 0 ? verb : `${noun.join('-')}.${verb}`;
}
