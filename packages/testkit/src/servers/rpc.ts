/** JSON-RPC as the test server speaks it. */

export type RequestId = string | number;

export type Params = Readonly<Record<string, unknown>>;

/** A request, a notification or an answer: whatever a client may send. */
export interface Message {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Sends one message to the client. The status is that of an HTTP response which starts with it. */
export type Say = (message: object, status?: number) => void;

export const CODE = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Up to 2025-11-25; later `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export interface RpcErrorDetails {
  readonly data?: unknown;
  /** The HTTP status it is answered with where it is not 200; only the modern era uses any. */
  readonly status?: number;
}

export class RpcError extends Error {
  readonly code: number;
  readonly details: RpcErrorDetails;

  constructor(code: number, message: string, details: RpcErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export function methodNotFound(method: string): RpcError {
  return new RpcError(CODE.methodNotFound, `Method not found: ${method}`, { status: 404 });
}

/** The error of an answer. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function errorObject(error: unknown): ErrorObject {
  if (!(error instanceof RpcError)) return { code: CODE.internalError, message: String((error as Error).message) };
  const { data } = error.details;
  return { code: error.code, message: error.message, ...(data === undefined ? {} : { data }) };
}

export function record(value: unknown): Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Params) : {};
}

/** What is neither a request, nor a notification, nor an answer. */
export function isNoMessage(message: Message): boolean {
  const { jsonrpc, id, method, result, error } = message as Message & { readonly jsonrpc?: unknown };
  if (jsonrpc !== '2.0' || (id !== undefined && typeof id !== 'string' && typeof id !== 'number')) return true;
  return method === undefined ? result === undefined && error === undefined : typeof method !== 'string';
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Undefined for what is no JSON object. */
export function parseMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const message = value as Message;
    return message.params === undefined ? message : { ...message, params: record(message.params) };
  } catch {
    return undefined;
  }
}
