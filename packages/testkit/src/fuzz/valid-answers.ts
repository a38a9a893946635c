/** What a correct server answers, in some variety: what is damaged begins here. */
import type { FuzzEra } from './case.ts';
import type { Dice } from './dice.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const FUZZ_TOOLS = ['call', 'read', 'repeat'] as const;

const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

/** The result of a request, `mark` being what its case is known by. */
export function validResult(method: string, era: FuzzEra, dice: Dice, mark: string): object {
  const result = resultOf(method, dice, mark);
  return era === 'modern' ? { resultType: 'complete', ...result } : result;
}

function resultOf(method: string, dice: Dice, mark: string): object {
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, ...about(dice) };
    case 'server/discover':
      return {
        supportedVersions: ['2026-07-28'],
        capabilities: CAPABILITIES,
        ttlMs: 0,
        cacheScope: 'private',
        ...about(dice),
      };
    case 'tools/list':
      return { tools: FUZZ_TOOLS.map(name => tool(name, dice)), ...page(dice) };
    case 'prompts/list':
      return {
        prompts: [{ name: 'ask', title: 'Ask', arguments: [{ name: 'what', required: false }] }],
        ...page(dice),
      };
    case 'resources/list':
      return { resources: [{ uri: 'fuzz://note', name: 'note', mimeType: 'text/plain', size: 4 }], ...page(dice) };
    case 'resources/templates/list':
      return { resourceTemplates: [{ uriTemplate: 'fuzz://note/{id}', name: 'notes' }], ...page(dice) };
    case 'prompts/get':
      return {
        description: mark,
        messages: [
          { role: 'user', content: content(dice) },
          { role: 'assistant', content: content(dice) },
        ],
      };
    case 'resources/read':
      return {
        contents: [
          { uri: `fuzz://note/${mark}`, mimeType: 'text/plain', text: 'note' },
          { uri: 'fuzz://b', blob: PIXEL },
        ],
      };
    case 'completion/complete':
      return { completion: { values: ['a', 'b', mark], total: 3, hasMore: false } };
    case 'tools/call':
      return {
        content: [content(dice), content(dice)],
        ...(dice.chance(0.4) ? { structuredContent: { ok: true, items: [1, 2, 3], big: mark } } : {}),
        ...(dice.chance(0.2) ? { isError: dice.chance(0.5) } : {}),
        ...(dice.chance(0.2) ? { _meta: { 'example.com/trace': mark } } : {}),
      };
    default:
      return {};
  }
}

function about(dice: Dice): object {
  const serverInfo = { name: 'fuzzed', version: '1', title: 'Fuzzed', icons: [{ src: 'data:,x' }] };
  return { serverInfo, ...(dice.chance(0.5) ? { instructions: 'Use with care.' } : {}) };
}

/** Lists have one page: a cursor makes the hub ask again. */
function page(dice: Dice): object {
  return dice.chance(0.1) ? { ttlMs: 0, cacheScope: 'private' } : {};
}

function tool(name: string, dice: Dice): object {
  return {
    name,
    title: name,
    description: `Fuzzed ${name}.`,
    inputSchema: { type: 'object', properties: { mark: { type: 'string', description: 'what it is' } } },
    ...(dice.chance(0.3) ? { outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } } : {}),
    annotations: { readOnlyHint: name === 'read', idempotentHint: name === 'repeat' },
    ...(dice.chance(0.2) ? { _meta: { ui: { resourceUri: 'ui://x' } }, icons: [{ src: 'data:,x' }] } : {}),
  };
}

function content(dice: Dice): object {
  const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
  return dice.pick([
    { type: 'text', text: 'hello' },
    { type: 'text', text: 'grüße \u{1f30d} \u200b', annotations },
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
    { type: 'audio', data: PIXEL, mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'fuzz://note', name: 'note', mimeType: 'text/plain' },
    { type: 'resource', resource: { uri: 'fuzz://note', mimeType: 'text/plain', text: 'note' } },
  ]);
}

/** What a server asks of a client: as requests of its own, or, in the modern era, as questions in a result. */
export function questions(dice: Dice): { readonly method: string; readonly params?: object }[] {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
  const message = { role: 'user', content: { type: 'text', text: 'hi' } };
  const all = [
    { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema: schema } },
    {
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Go', url: 'https://example.com/', elicitationId: 'e' },
    },
    { method: 'sampling/createMessage', params: { messages: [message], maxTokens: 10 } },
    { method: 'roots/list' },
    { method: 'ping' },
  ];
  return dice.chance(0.7) ? [dice.pick(all)] : [dice.pick(all), dice.pick(all)];
}

export function notifications(
  dice: Dice,
  progressToken: unknown,
): { readonly method: string; readonly params?: object } {
  return dice.pick([
    { method: 'notifications/progress', params: { progressToken, progress: 1, total: 2, message: 'half' } },
    {
      method: 'notifications/progress',
      params: { progressToken: dice.pick([0, -1, '', null, {}, 'x', 1e9]), progress: 1 },
    },
    { method: 'notifications/message', params: { level: 'info', logger: 'fuzz', data: { a: 1 } } },
    { method: 'notifications/resources/updated', params: { uri: 'fuzz://note' } },
    { method: 'notifications/cancelled', params: { requestId: dice.below(500), reason: 'no' } },
    { method: 'notifications/elicitation/complete', params: { elicitationId: 'e' } },
    { method: 'notifications/tasks/status', params: { taskId: 't', status: 'working' } },
    { method: 'notifications/subscriptions/acknowledged', params: { _meta: {}, notifications: {} } },
    { method: 'notifications/no/such', params: { x: 1 } },
  ]);
}
