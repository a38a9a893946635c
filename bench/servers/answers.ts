/**
 * What the bench's upstream server answers, on stdio and on http alike. Deliberately no SDK and no validation: its cost
 * should vanish beside that of a contestant.
 */
import type { Message } from '../raw-client/json-rpc.ts';

export interface ServerOptions {
  readonly tools: number;
  /** How long `initialize` waits for its answer; shows who connects servers one by one. */
  readonly delayMs: number;
}

export function serverOptions(argv: readonly string[]): ServerOptions {
  const given = (name: string) => argv.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  return { tools: Number(given('tools') ?? 3), delayMs: Number(given('delay-ms') ?? 0) };
}

/** Gives for each message the texts to send back: none for a notification. */
export function makeAnswers(options: ServerOptions): (message: Message) => readonly string[] {
  const toolsJson = JSON.stringify({ tools: makeTools(options.tools) });
  const bigResults = new Map<number, string>();
  let listsAnswered = 0;

  function bigResult(bytes: number): string {
    const known = bigResults.get(bytes) ?? textResult('x'.repeat(bytes));
    bigResults.set(bytes, known);
    return known;
  }

  function callTool(params: ToolCallParams): { result: string; before?: string } {
    if (params.name === 'big') return { result: bigResult(params.arguments?.bytes ?? 0) };
    // Tells how often the list was asked for, so that a client that answers from memory cannot pass for a fast one.
    if (params.name === 'touch') return { result: textResult(String(listsAnswered)), before: LIST_CHANGED };
    return { result: textResult(params.arguments?.text ?? '') };
  }

  return message => {
    if (message.id === undefined) return [];
    const answer = (result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`;
    switch (message.method) {
      case 'tools/call': {
        const { result, before } = callTool(message.params as ToolCallParams);
        return before ? [before, answer(result)] : [answer(result)];
      }
      case 'tools/list':
        listsAnswered++;
        return [answer(toolsJson)];
      case 'initialize':
        return [answer(greeting(message.params as { protocolVersion: string }))];
      case 'ping':
        return [answer('{}')];
      default:
        return [
          `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"error":{"code":-32601,"message":"Method not found"}}`,
        ];
    }
  };
}

interface ToolCallParams {
  readonly name: string;
  readonly arguments?: { readonly text?: string; readonly bytes?: number };
}

const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const NEWEST_SESSION_ERA = '2025-11-25';

function greeting({ protocolVersion }: { protocolVersion: string }): string {
  return JSON.stringify({
    protocolVersion: protocolVersion <= NEWEST_SESSION_ERA ? protocolVersion : NEWEST_SESSION_ERA,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'bench-echo', version: '1.0.0' },
  });
}

function textResult(text: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

function makeTools(count: number): object[] {
  const tools: object[] = [
    tool('echo', 'Returns its text', { text: { type: 'string' } }, ['text']),
    tool('big', 'Returns text of the given size', { bytes: { type: 'integer' } }, ['bytes']),
    tool('touch', 'Says that the list of tools changed, and how often it was asked for', {}, []),
  ];
  for (let number = tools.length; number < count; number++) tools.push(typicalTool(number));
  return tools;
}

/** About 470 bytes of JSON, the size of a typical published tool. */
function typicalTool(number: number): object {
  const description =
    `Tool number ${number}: looks up records in the workspace and returns the matching ones, newest first. ` +
    `Use it when the user asks about items of kind ${number % 17}.`;
  const properties = {
    query: { type: 'string', description: 'What to look for' },
    limit: { type: 'integer', description: 'How many records to return', minimum: 1, maximum: 100 },
    cursor: { type: 'string', description: 'Where to go on from' },
  };
  return tool(`tool_${number}`, description, properties, ['query']);
}

function tool(name: string, description: string, properties: object, required: readonly string[]): object {
  return { name, description, inputSchema: { type: 'object', properties, required } };
}
