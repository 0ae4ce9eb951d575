/** The pages whose curl commands are all run, in an order that lets each one succeed. */
export const pagesWithCurl: readonly string[] = [
  'docs/admin-api.md',
  'docs/http-api.md',
  'docs/operating.md',
  'docs/console.md',
];
