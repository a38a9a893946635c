import { createHost, type Host } from '@junctor/core';
import { loadMcpConfig } from '@junctor/core/config-read';
import { isJunctorError, JunctorError } from '@junctor/core/light';
import { oneOf } from '../../choice.ts';
import { defineCommand } from '../../command.ts';
import { type Context, hostOptions, loadOptions } from '../../context.ts';
import { exitCodeOf } from '../../output/problem.ts';
import { table } from '../../output/table.ts';

export const mcpTest = defineCommand({
  options: {
    scope: {
      value: 'effective|project|global',
      help: 'what applies here, or the definition of one scope (default: effective)',
    },
  },
  details: 'It connects, greets and lists the tools, and says which of these failed and why. Nothing is called.',
  async run(context, { options, words }) {
    const id = words[0] as string;
    const scope = oneOf('scope', options.scope ?? 'effective', ['effective', 'project', 'global']);
    await using host = await openHost(context, id, scope);
    const steps: Step[] = [];
    const failure = await tryServer(host, id, steps).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined && !isJunctorError(failure)) throw failure;
    context.answer({
      json: { id, ok: failure === undefined, steps, ...(failure ? { error: asDocument(failure) } : {}) },
      text: table(
        ['STEP', 'OUTCOME', ''],
        steps.map(({ step, ok, detail }) => [step, ok ? 'ok' : 'failed', detail]),
      ),
    });
    if (!failure) return 0;
    if (context.global.json) return exitCodeOf(failure);
    throw failure;
  },
});

interface Step {
  readonly step: 'connect' | 'initialize' | 'tools/list';
  readonly ok: boolean;
  readonly detail: string;
}

async function tryServer(host: Host, id: string, steps: Step[]): Promise<void> {
  const started = performance.now();
  try {
    const { endpoint } = host.links.expect(id);
    const { greeting } = await host.links.ready(id);
    const { serverInfo, protocolVersion } = greeting;
    const reached = endpoint.transport === 'stdio' ? endpoint.command : endpoint.url;
    steps.push({ step: 'connect', ok: true, detail: `${endpoint.transport} ${reached}` });
    const took = Math.round(performance.now() - started);
    steps.push({
      step: 'initialize',
      ok: true,
      detail: `MCP ${protocolVersion}, ${serverInfo.name} ${serverInfo.version}, ${took} ms`,
    });
  } catch (error) {
    const step = neverGreeted(error) ? 'connect' : 'initialize';
    if (step === 'initialize') steps.push({ step: 'connect', ok: true, detail: '' });
    steps.push({ step, ok: false, detail: isJunctorError(error) ? error.message : '' });
    throw error;
  }
  try {
    const tools = await host.collect(id);
    steps.push({ step: 'tools/list', ok: true, detail: `${tools.length} tool${tools.length === 1 ? '' : 's'}` });
  } catch (error) {
    steps.push({ step: 'tools/list', ok: false, detail: isJunctorError(error) ? error.message : '' });
    throw error;
  }
}

/** Failures before a single byte of the protocol was exchanged. */
function neverGreeted(error: unknown): boolean {
  if (!isJunctorError(error)) return true;
  if (
    ['command_not_found', 'transport_unsupported', 'server_unusable', 'server_unknown', 'trust_required'].includes(
      error.code,
    )
  )
    return true;
  return (
    error.code === 'connection_failed' && (error.cause as NodeJS.ErrnoException | undefined)?.syscall === 'connect'
  );
}

function openHost(context: Context, id: string, scope: string): Promise<Host> {
  return scope === 'effective' ? createHost({ ...hostOptions(context), attempts: 1 }) : openScope(context, id, scope);
}

/** The definition of one scope, even where a higher layer hides it. It still needs the approval it would need there. */
async function openScope(context: Context, id: string, scope: string): Promise<Host> {
  const { servers } = await loadMcpConfig(loadOptions(context));
  const layers = scope === 'global' ? ['user'] : ['project', 'local', 'explicit'];
  const server = servers.get(id);
  const own = server && [server, ...server.hides].find(({ layer }) => layers.includes(layer));
  if (!own)
    throw new JunctorError('server_unknown', `The ${scope} scope defines no server '${id}'.`, {
      server: id,
      hint: 'junctor mcp list',
    });
  if (own.layer === server?.layer) return createHost({ ...hostOptions(context), attempts: 1 });
  return createHost({ ...hostOptions(context), attempts: 1, config: { servers: { [id]: own.definition } } });
}

function asDocument({ code, message, why, hint }: JunctorError): object {
  return { code, message, ...(why && { why }), ...(hint && { hint }) };
}
