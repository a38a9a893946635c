import { JunctorError } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import { COMMANDS } from '../table.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { withOptions } from './words.ts';
import { zshScript } from './zsh.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const completion = defineCommand({
  details: `bash: junctor completion bash > ~/.local/share/bash-completion/completions/junctor
zsh:  junctor completion zsh > "\${fpath[1]}/_junctor"
fish: junctor completion fish > ~/.config/fish/completions/junctor.fish
It completes commands, options, ids of your servers and agents.`,
  async run(context, { words }) {
    const shell = words[0] as string;
    if (!Object.hasOwn(SHELLS, shell)) {
      throw new JunctorError('usage', `There is no completion for '${shell}'.`, { hint: 'use bash, zsh or fish' });
    }
    const script = SHELLS[shell as keyof typeof SHELLS](await Promise.all(COMMANDS.map(withOptions)));
    context.answer({ json: { shell, script }, text: script });
    return 0;
  },
});
