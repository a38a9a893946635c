/** What a scenario wants done with its server, through what a host offers to any program. */
import type { Entry, Host } from '@junctor/core';
import { SERVER, type Task } from './client-task.ts';

type Act = (host: Host, task: Task) => Promise<void>;

/** Scenarios that want something else than their tools called. */
const ACTS: Readonly<Record<string, Act>> = {
  'http-standard-headers': useEverything,
  'http-custom-headers': callAsTold,
  'json-schema-2020-12-preservation': giveSchemaBack,
  'json-schema-ref-no-deref': listTools,
};

export function actFor(scenario: string): Act {
  return ACTS[scenario] ?? callEveryTool;
}

async function listTools(host: Host): Promise<void> {
  await toolsOf(host);
}

/** All at once: what belongs to one call must not get into another. */
async function callEveryTool(host: Host): Promise<void> {
  const tools = await toolsOf(host);
  await Promise.all(tools.map(({ name, definition }) => call(host, name, fittingArguments(definition.inputSchema))));
}

async function callAsTold(host: Host, { context }: Task): Promise<void> {
  await toolsOf(host);
  const { toolCalls } = context as { toolCalls: readonly { name: string; arguments: object }[] };
  for (const { name: tool, arguments: args } of toolCalls) await call(host, { server: SERVER, tool }, args);
}

async function useEverything(host: Host): Promise<void> {
  await callEveryTool(host);
  for (const { server, definition } of await host.resources()) await host.readResource(server, definition.uri);
  for (const { server, definition } of await host.prompts()) await host.getPrompt(server, definition.name);
}

/** Hands the schema of one tool, as the host shows it, to another tool that looks at it. */
async function giveSchemaBack(host: Host): Promise<void> {
  const tools = await toolsOf(host);
  const shown = tools.find(({ tool }) => tool === 'json_schema_2020_12_tool');
  await call(host, { server: SERVER, tool: 'json_schema_echo' }, { schema: shown?.definition.inputSchema });
}

/** A host leaves out servers that do not answer. Here there is only the one. */
async function toolsOf(host: Host): Promise<readonly Entry[]> {
  const tools = await host.tools();
  const [failure] = host.failures();
  if (failure) throw failure.error;
  return tools;
}

async function call(host: Host, target: Parameters<Host['call']>[0], args: object): Promise<void> {
  const result = await host.call(target, args);
  if (!result.success) throw new Error(`the tool ${JSON.stringify(target)} failed: ${result.error}`);
}

const SAMPLES: Readonly<Record<string, unknown>> = { string: 'text', number: 1.5, integer: 1, boolean: true };

/** A value for each argument that must be there. */
function fittingArguments(schema: Entry['definition']['inputSchema']): object {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, { readonly type?: string }>>;
    required?: readonly string[];
  };
  return Object.fromEntries(required.map(name => [name, SAMPLES[properties[name]?.type ?? 'string']]));
}
