import type { ClientRequest, RequestOptions } from 'node:http';
import { http } from '@junctor/core/internal';

/** A request to another hub, which may stand behind something that speaks TLS. */
export function requestTo(hub: string, path: string, options: RequestOptions): ClientRequest {
  const { request } = hub.startsWith('https:') ? process.getBuiltinModule('node:https') : http;
  return request(`${hub}${path}`, options);
}
