/**
 * Addresses of resources behind an agent's door: two servers may use the same, so each carries its server in front. What
 * stands behind it is the server's own, letter for letter, variables of a template included.
 */
import { isObject } from '@junctor/core/internal';

const PREFIX = 'junctor://';

export interface Located {
  readonly server: string;
  readonly uri: string;
}

export function publicUri(server: string, uri: string): string {
  return `${PREFIX}${server}/${uri}`;
}

export function readPublicUri(uri: string): Located | undefined {
  const [, server, own] = /^junctor:\/\/([\w-]{1,64})\/(.+)$/s.exec(uri) ?? [];
  return server === undefined || own === undefined ? undefined : { server, uri: own };
}

/** A result with the addresses in it made public: contents of a resource, and resources that tools and prompts show. */
export function withPublicUris(server: string, result: object): Record<string, unknown> {
  const { contents, content, messages } = result as Record<string, unknown>;
  return {
    ...result,
    ...(Array.isArray(contents) ? { contents: contents.map(one => moved(server, one)) } : {}),
    ...(Array.isArray(content) ? { content: content.map(block => shown(server, block)) } : {}),
    ...(Array.isArray(messages) ? { messages: messages.map(one => withShown(server, one)) } : {}),
  };
}

function withShown(server: string, message: unknown): unknown {
  return isObject(message) ? { ...message, content: shown(server, message.content) } : message;
}

function shown(server: string, block: unknown): unknown {
  const { type, resource } = (block ?? {}) as { type?: unknown; resource?: unknown };
  if (type === 'resource_link') return moved(server, block);
  return type === 'resource' ? { ...(block as object), resource: moved(server, resource) } : block;
}

function moved(server: string, holder: unknown): unknown {
  const { uri } = (holder ?? {}) as { uri?: unknown };
  return typeof uri === 'string' ? { ...(holder as object), uri: publicUri(server, uri) } : holder;
}
