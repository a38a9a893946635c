import type { IncomingMessage } from 'node:http';

/** Whether a response says that it is of this media type. Letters count alike in either case (RFC 9110, 8.3.1). */
export function isOfType(response: IncomingMessage, type: 'text/event-stream' | 'text/html'): boolean {
  return response.headers['content-type']?.toLowerCase().startsWith(type) ?? false;
}
