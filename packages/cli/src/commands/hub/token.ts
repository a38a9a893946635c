import { dataDirectory, JunctorError } from '@junctor/core/light';
import { AGENT_ID, AGENT_IDS, METRICS, TokenBook } from '@junctor/hub';
import { defineCommand } from '../../command.ts';
import { knownExecutors } from '../../config-files/known-executor.ts';

/** As over REST. */
const MAX_NAME = 64;

export const hubToken = defineCommand({
  options: {
    agent: { value: 'ID', help: 'a token that opens only the doors of this agent' },
    session: { value: 'NAME', help: 'for one run of --agent: all connections with this token are one session' },
    executor: { value: 'NAME', help: 'where --agent runs: its servers are started there (default: local)' },
    metrics: { help: 'a token for a monitor: it opens /metrics and nothing else' },
    name: { value: 'NAME', help: 'whose it is, or what for: it is listed, and stands in the audit' },
    revoke: { help: 'revoke the tokens of --agent or --metrics, or without them every person token' },
  },
  async run(context, { options }) {
    const agent = options.agent?.toLowerCase();
    if (agent !== undefined && !AGENT_ID.test(agent)) {
      throw new JunctorError('usage', `'${options.agent}' cannot be an agent.`, {
        hint: `one of: ${[...AGENT_IDS].join(', ')}; or your own, of letters, digits and hyphens`,
      });
    }
    if (options.metrics && agent !== undefined)
      throw new JunctorError('usage', '--metrics and --agent are two kinds of tokens.', {
        hint: 'make one of each: junctor hub token --metrics',
      });
    const opens = options.metrics ? METRICS : undefined;
    const book = new TokenBook(dataDirectory(context.surroundings, context.global.data));
    const whose = opens ?? (agent === undefined ? 'person' : `agent ${agent}`);
    if (options.revoke) {
      const revoked = await book.revoke(agent, opens);
      context.answer({ json: { agent: agent ?? null, revoked }, text: `revoked ${revoked} token(s) of ${whose}` });
      return;
    }
    const { session, executor, name } = options;
    if (name !== undefined && name.length > MAX_NAME)
      throw new JunctorError('usage', `--name takes at most ${MAX_NAME} characters.`);
    if (session !== undefined && agent === undefined)
      throw new JunctorError('usage', '--session needs --agent: it names one run of an agent.', {
        hint: 'junctor hub token --agent codex --session run-1',
      });
    if (executor !== undefined && agent === undefined)
      throw new JunctorError('usage', '--executor needs --agent: it says where that agent runs.', {
        hint: `junctor hub token --agent codex --executor ${executor}`,
      });
    const token = await book.issue(agent, { session, executor, opens, name });
    // An agent of your own begins with a config that is posted for it, maybe after this.
    if (agent !== undefined && !AGENT_IDS.has(agent))
      context.talk(
        `'${agent}' is no agent we know: it works once a config is stored for it, or one of the files names it`,
      );
    // It may also be one that is stored at the hub.
    if (executor !== undefined && !(await knownExecutors(context)).includes(executor))
      context.talk(`executor '${executor}' is in none of your files: nothing is started for it until it is set up`);
    context.talk(`token for ${whose}, shown once:`);
    // Printed past the redactor, which would mask it: showing it is what this command is for.
    process.stdout.write(context.global.json ? `${JSON.stringify({ agent: agent ?? null, token })}\n` : `${token}\n`);
  },
});
