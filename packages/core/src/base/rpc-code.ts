/** The codes of JSON-RPC errors, with those that MCP gives a meaning of their own. */
export const RPC_CODE = {
  notJson: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Free for whoever serves: here, that the server or the way to it failed. */
  serverFailed: -32000,
  /** Of the older era; the newer one says `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  /** URLElicitationRequired, since 2025-11-25: a person has to visit pages before the call can run. */
  visitFirst: -32042,
} as const;
