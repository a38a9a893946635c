import { createHost, type Host } from '@junctor/core';
import { isJunctorError, toldOf } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { READ_SCOPE_OPTION, type ReadScope, readScope } from '../../config-files/read-scope.ts';
import { type Context, hostOptions } from '../../context.ts';
import { ThroughHub } from '../../hub/through-hub.ts';
import { exitCodeOf } from '../../output/problem.ts';
import { table } from '../../output/table.ts';
import { tellIdlePatterns, tellSkipped } from '../../output/tool-notes.ts';
import { findServer } from './get.ts';

export const mcpTest = defineCommand({
  options: {
    scope: READ_SCOPE_OPTION,
    direct: { help: 'go to the server itself, not through a running hub' },
  },
  details: 'It connects, greets and lists the tools, and says which of these failed and why. Nothing is called.',
  async run(context, { options, words }) {
    const id = words[0] as string;
    const scope = readScope(options.scope);
    const hub = await ThroughHub.find(context, options);
    await using host = await openHost(context, id, scope, hub);
    hub.tell([id]);
    const steps: Step[] = [];
    const failure = await tryServer(host, id, steps).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined && !isJunctorError(failure)) throw failure;
    context.answer({
      json: {
        id,
        ok: failure === undefined,
        via: hub.wayTo(id),
        steps,
        ...(failure ? { error: toldOf(failure) } : {}),
      },
      text: table(
        ['STEP', 'OUTCOME', ''],
        steps.map(({ step, ok, asked, detail }) => [
          step,
          ok ? (asked === false ? 'not asked' : 'ok') : 'failed',
          detail,
        ]),
      ),
    });
    if (!failure && !context.global.json) await tellTools(context, host, id);
    if (!failure) return 0;
    if (context.global.json) return exitCodeOf(failure);
    throw failure;
  },
});

interface Step {
  readonly step: 'connect' | 'initialize' | 'tools/list';
  readonly ok: boolean;
  /** False where the server says that it has no such list. */
  readonly asked?: false;
  readonly detail: string;
}

async function tryServer(host: Host, id: string, steps: Step[]): Promise<void> {
  const started = performance.now();
  let hasTools = true;
  try {
    host.links.expect(id);
    const { greeting, server } = await host.links.ready(id);
    // As it was reached: a server from before Streamable HTTP is spoken to over SSE.
    const { endpoint } = server;
    const { serverInfo, protocolVersion } = greeting;
    hasTools = greeting.capabilities.tools !== undefined;
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
    if (!hasTools) {
      steps.push({ step: 'tools/list', ok: true, asked: false, detail: 'it offers no tools' });
      return;
    }
    const { skipped } = await host.snapshot({ servers: [id] });
    const left = skipped.filter(({ server }) => server === id).length;
    const detail = `${counted(tools.length)}${left > 0 ? `; ${left} skipped` : ''}`;
    steps.push({ step: 'tools/list', ok: true, detail });
  } catch (error) {
    steps.push({ step: 'tools/list', ok: false, detail: isJunctorError(error) ? error.message : '' });
    throw error;
  }
}

function counted(tools: number): string {
  return `${tools} tool${tools === 1 ? '' : 's'}`;
}

/** What a person should know about the list beside its length. */
async function tellTools(context: Context, host: Host, id: string): Promise<void> {
  const { skipped } = await host.snapshot({ servers: [id] });
  tellSkipped(
    context,
    skipped.filter(({ server }) => server === id),
  );
  tellIdlePatterns(context, host.loaded, new Map([[id, (await host.listedTools(id)).map(({ name }) => name)]]));
}

/** Failures before a single byte of the protocol was exchanged. */
function neverGreeted(error: unknown): boolean {
  if (!isJunctorError(error)) return true;
  if (
    [
      'command_not_found',
      'folder_not_found',
      'transport_unsupported',
      'server_unusable',
      'server_unknown',
      'trust_required',
    ].includes(error.code)
  )
    return true;
  return (
    error.code === 'connection_failed' && (error.cause as NodeJS.ErrnoException | undefined)?.syscall === 'connect'
  );
}

/** The definition of one scope, even where a higher layer hides it. It still needs the approval it would need there. */
async function openHost(context: Context, id: string, scope: ReadScope, hub: ThroughHub): Promise<Host> {
  const options = { ...hostOptions(context), ...hub.hostOptions, attempts: 1 };
  if (scope === 'effective') return createHost(options);
  const own = await findServer(context, id, scope);
  const { layer } = await findServer(context, id);
  return createHost(own.layer === layer ? options : { ...options, config: { servers: { [id]: own.definition } } });
}
