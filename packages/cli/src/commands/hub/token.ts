import { dataDirectory, JunctorError } from '@junctor/core/light';
import { AGENT_IDS, TokenBook } from '@junctor/hub';
import { defineCommand } from '../../command.ts';

export const hubToken = defineCommand({
  options: {
    agent: { value: 'ID', help: 'a token that opens only the doors of this agent' },
    revoke: { help: 'revoke the tokens of --agent, or without it every person token' },
  },
  async run(context, { options }) {
    const agent = options.agent?.toLowerCase();
    if (agent !== undefined && !AGENT_IDS.has(agent)) {
      throw new JunctorError('usage', `There is no agent '${options.agent}'.`, {
        hint: `one of: ${[...AGENT_IDS].join(', ')}`,
      });
    }
    const book = new TokenBook(dataDirectory(context.surroundings, context.global.data));
    const whose = agent === undefined ? 'person' : `agent ${agent}`;
    if (options.revoke) {
      const revoked = await book.revoke(agent);
      context.answer({ json: { agent: agent ?? null, revoked }, text: `revoked ${revoked} token(s) of ${whose}` });
      return;
    }
    const token = await book.issue(agent);
    context.talk(`token for ${whose}, shown once:`);
    // Printed past the redactor, which would mask it: showing it is what this command is for.
    process.stdout.write(context.global.json ? `${JSON.stringify({ agent: agent ?? null, token })}\n` : `${token}\n`);
  },
});
