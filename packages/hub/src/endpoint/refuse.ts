import type { ServerResponse } from 'node:http';
import { RPC_CODE } from '@junctor/core/internal';

/** Errors of a door itself: where they answer no request, their id is null. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: number = RPC_CODE.serverFailed,
  { id = null, data }: { readonly id?: unknown; readonly data?: unknown } = {},
): void {
  const error = data === undefined ? { code, message } : { code, message, data };
  const body = JSON.stringify({ jsonrpc: '2.0', id, error });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
