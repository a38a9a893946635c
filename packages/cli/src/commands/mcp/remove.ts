import { type Layer, loadMcpConfig } from '@junctor/core/config-read';
import { removeServer } from '@junctor/core/config-write';
import { isJunctorError, JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { definitionIn, removeLeft, secretsLeftBy } from '../../config-files/left-secrets.ts';
import { forgetSignIns, signInsTo } from '../../config-files/left-sign-ins.ts';
import { editOptions, SCOPE_OPTION, targetNaming, writeScopeOf } from '../../config-files/scope.ts';
import { type Context, loadOptions } from '../../context.ts';

export const mcpRemove = defineCommand({
  options: {
    scope: SCOPE_OPTION,
    secrets: { help: 'remove the secrets, too, that were stored for it (default: ask at a terminal, else keep them)' },
    forget: { help: 'sign out of it, too (default: ask at a terminal, else stay signed in)' },
  },
  async run(context, { options, words }) {
    const id = words[0] as string;
    const target = await targetNaming(context, options.scope, id);
    const { file } = target;
    const removed = await definitionIn(context, file, id);
    const signedIn = await signInsTo(context, id);
    await removeServer(file, id, editOptions(context, target)).catch(error => pointElsewhere(context, id, error));
    const told = `removed server '${id}' from ${file}`;
    const tidyUp = async () => {
      const still = await definedNow(context, id);
      const left = removed ? await secretsLeftBy(context, file, removed) : { own: [], others: [] };
      const gone = await removeLeft(context, left, options.secrets);
      // Where another layer defines it still, its sign-in is needed.
      const signIns = still ? [] : await forgetSignIns(context, id, signedIn, options.forget);
      return { still, left, gone, signIns };
    };
    const { still, left, gone, signIns } = await tidyUp().catch(error => {
      // Whoever stops at a question must not think that nothing has happened.
      context.talk(told);
      throw error;
    });
    context.answer({
      json: {
        id,
        file,
        secrets_left: [...left.own, ...left.others].filter(name => !gone.includes(name)),
        sign_ins_left: signIns,
        effective: still ? { layer: still.layer, source: still.source } : null,
      },
      text: told,
    });
    if (still) context.talk(`'${id}' is still defined in the ${still.layer} layer: ${still.source}`);
    for (const layer of still ? [] : await switching(context, id))
      context.talk(`${layer.source} still switches '${id}'; to take that out: ${removalIn(layer, id)}`);
    return 0;
  },
});

/** Layers that only switch a server which nothing defines any more. */
async function switching(context: Context, id: string): Promise<Layer[]> {
  const { layers } = await loadMcpConfig({ ...loadOptions(context), strict: false });
  return layers.filter(({ config }) => Object.hasOwn(config.overlays ?? {}, id));
}

function removalIn({ name, source }: Layer, id: string): string {
  const scope = writeScopeOf(name);
  return scope === undefined ? `edit ${source}` : `junctor mcp remove ${id} --scope ${scope}`;
}

async function definedNow(context: Context, id: string) {
  return (await loadMcpConfig({ ...loadOptions(context), strict: false })).servers.get(id);
}

/** A server of another file is not removed unasked; the person is told what to type for it. */
async function pointElsewhere(context: Context, id: string, error: unknown): Promise<never> {
  const elsewhere = isJunctorError(error, 'server_unknown') ? await definedNow(context, id) : undefined;
  if (!elsewhere) throw error;
  const scope = writeScopeOf(elsewhere.layer);
  throw new JunctorError('server_unknown', (error as JunctorError).message, {
    server: id,
    why: `it is defined in the ${elsewhere.layer} layer: ${elsewhere.source}`,
    hint: scope === undefined ? `take it out of ${elsewhere.source}` : `junctor mcp remove ${id} --scope ${scope}`,
    cause: error,
  });
}
