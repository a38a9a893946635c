import { JunctorError } from '@junctor/core/light';
import { type CommandRow, dashed, defineCommand, GLOBAL_OPTIONS, type OptionSpecs } from '../command.ts';
import { COMMANDS } from './table.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const completion = defineCommand({
  details: `bash: junctor completion bash > ~/.local/share/bash-completion/completions/junctor
zsh:  junctor completion zsh > "\${fpath[1]}/_junctor"
fish: junctor completion fish > ~/.config/fish/completions/junctor.fish`,
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

interface Completed extends CommandRow {
  readonly options: OptionSpecs;
}

async function withOptions(row: CommandRow): Promise<Completed> {
  return { ...row, options: { ...(await row.load()).options, ...GLOBAL_OPTIONS } };
}

/** What may follow the words typed so far: `mcp` → add, list, … */
function nextWords(commands: readonly Completed[]): Map<string, { word: string; summary: string }[]> {
  const next = new Map<string, { word: string; summary: string }[]>();
  for (const { words, summary } of commands) {
    words.forEach((word, index) => {
      const before = words.slice(0, index).join(' ');
      const known = next.get(before) ?? [];
      const text = index === words.length - 1 ? summary : `${word} commands`;
      if (!known.some(one => one.word === word)) next.set(before, [...known, { word, summary: text }]);
    });
  }
  return next;
}

function optionNames({ options }: Completed): string[] {
  return Object.keys(options).map(dashed);
}

function bashScript(commands: readonly Completed[]): string {
  const next = [...nextWords(commands)].map(
    ([before, words]) => `    '${before}') words='${words.map(one => one.word).join(' ')}' ;;`,
  );
  const options = commands.map(
    command => `    '${command.words.join(' ')}') options='${optionNames(command).join(' ')}' ;;`,
  );
  return `# bash completion for junctor
_junctor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" typed='' words='' options='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) typed="\${typed:+$typed }$word" ;; esac
  done
  case "$typed" in
${next.join('\n')}
  esac
  case "$typed" in
${options.join('\n')}
    *) options='--help --version --json' ;;
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _junctor junctor
`;
}

function zshScript(commands: readonly Completed[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  const next = [...nextWords(commands)].map(
    ([before, words]) =>
      `    '${before}') words=(${words.map(one => `'${one.word}:${quoted(one.summary)}'`).join(' ')}) ;;`,
  );
  const options = commands.map(
    command => `    '${command.words.join(' ')}') options=(${optionNames(command).join(' ')}) ;;`,
  );
  return `#compdef junctor
_junctor() {
  local typed='' word
  local -a words options
  for word in \${words_typed:-\${(@)words[2,CURRENT-1]}}; do
    [[ $word == -* ]] || typed="\${typed:+$typed }$word"
  done
  words=()
  case "$typed" in
${next.join('\n')}
  esac
  case "$typed" in
${options.join('\n')}
    *) options=(--help --version --json) ;;
  esac
  if [[ $PREFIX == -* ]]; then compadd -a options; return; fi
  (( \${#words} )) && _describe command words || _files
}
compdef _junctor junctor
`;
}

function fishScript(commands: readonly Completed[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "\\'");
  const lines = [...nextWords(commands)].flatMap(([before, words]) =>
    words.map(
      ({ word, summary }) =>
        `complete -c junctor -f -n "__junctor_typed '${before}'" -a '${word}' -d '${quoted(summary)}'`,
    ),
  );
  const options = commands.flatMap(command =>
    Object.entries(command.options).map(([name, { help, value }]) => {
      const takes = value === undefined ? '' : ' -r';
      return `complete -c junctor -n "__junctor_typed '${command.words.join(' ')}'" ${name.length === 1 ? '-s' : '-l'} '${name}'${takes} -d '${quoted(help)}'`;
    }),
  );
  return `# fish completion for junctor
function __junctor_typed
  set -l typed
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or set -a typed $word
  end
  test "$typed" = "$argv[1]"
end
${[...lines, ...options].join('\n')}
`;
}
