/** `mcp enable` and `mcp disable`: the same switch, either way. */

import { isEnabled, type Layer, type LoadedServer, loadMcpConfig } from '@junctor/core/config-read';
import { switchServer, TrustBook } from '@junctor/core/config-write';
import { dataDirectory, isJunctorError } from '@junctor/core/light';
import { type Command, defineCommand } from '../../command.ts';
import { scopeWord } from '../../config-files/read-scope.ts';
import {
  editOptions,
  isOfProject,
  SCOPE_OPTION,
  type Target,
  targetFile,
  targetNaming,
  tellWritten,
  writeScopeOf,
} from '../../config-files/scope.ts';
import { type Context, loadOptions } from '../../context.ts';
import { findServer } from './get.ts';

export const mcpEnable: Command = switchCommand('enable', true);
export const mcpDisable: Command = switchCommand('disable', false);

function switchCommand(verb: 'enable' | 'disable', enabled: boolean): Command {
  return defineCommand({
    options: { scope: SCOPE_OPTION },
    details: 'In project and local scope it also switches a server that only the user config defines.',
    async run(context, { options, words }) {
      const id = words[0] as string;
      const server = await findServer(context, id);
      const target = await writeSwitch(context, await targetNaming(context, options.scope, id), id, enabled);
      const { file } = target;
      // Switching a server on is a decision that it may run.
      if (enabled) await approve(context, server, file);
      context.answer({ json: { id, enabled, file }, text: `${verb}d server '${id}' in ${file}` });
      if (server.layer === 'user' && isOfProject(target))
        context.talk(`for this project only; everywhere: junctor mcp ${verb} ${id} --scope global`);
      await tellWritten(context, target);
      await tellOtherwise(context, id, verb, enabled);
      return 0;
    },
  });
}

/** A format without a word for the switch leaves it to a file of ours above it. */
async function writeSwitch(context: Context, target: Target, id: string, enabled: boolean): Promise<Target> {
  try {
    const clear = (await stateBelow(context, target.file, id)) === enabled;
    await switchServer(target.file, id, enabled, { ...editOptions(context, target), clear });
    return target;
  } catch (error) {
    const { scope } = target;
    if (!isJunctorError(error, 'config_conflict') || scope === 'explicit') throw error;
    const own = await targetFile(context, scope === 'project' ? 'local' : scope);
    if (own.file === target.file) throw error;
    await switchServer(own.file, id, enabled, editOptions(context, own));
    context.talk(`${target.file} has no word for it; ${own.file} counts above that`);
    return own;
  }
}

/** What the layers below a file say about a server; undefined where none of them names it. */
async function stateBelow(context: Context, file: string, id: string): Promise<boolean | undefined> {
  const { layers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const at = layers.findIndex(layer => layer.file === file);
  return layers
    .slice(0, Math.max(at, 0))
    .toReversed()
    .map(layer => stateIn(layer, id))
    .find(state => state !== undefined);
}

function stateIn({ config }: Layer, id: string): boolean | undefined {
  const definition = config.servers[id];
  if (definition) return definition.enabled !== false;
  return config.broken?.includes(id) ? false : config.overlays?.[id];
}

/** Another layer may still decide otherwise: the switch that was asked for has no effect here. */
async function tellOtherwise(context: Context, id: string, verb: string, enabled: boolean): Promise<void> {
  const loaded = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const server = loaded.servers.get(id);
  if (!server) return;
  if (enabled && !loaded.enabled)
    context.talk(`'${id}' stays off: a config file says "enabled": false for all servers`);
  if (isEnabled(server) === enabled) return;
  const { layer, source } = decider(server);
  const scope = writeScopeOf(layer);
  const next = scope === undefined ? '' : `; there: junctor mcp ${verb} ${id} --scope ${scope}`;
  context.talk(
    `'${id}' stays ${enabled ? 'disabled' : 'enabled'} here: the ${scopeWord(layer)} layer decides, ${source}${next}`,
  );
}

function decider(server: LoadedServer): Pick<LoadedServer, 'layer' | 'source'> {
  return server.switched ?? server;
}

async function approve(context: Context, server: LoadedServer, file: string): Promise<void> {
  const { surroundings, global } = context;
  const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
  await book.approve([server]);
  const { layers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  const asked = await book.powers(layers);
  const own = asked.filter(
    ({ layer, power }) => layer.file === file && power.kind === 'switch-on' && power.value === server.id,
  );
  await book.approvePowers(own);
}
