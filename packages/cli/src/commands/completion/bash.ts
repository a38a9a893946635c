import { AGENTS, beforeAgent, beforeServer, type Completed, LIST_IDS, nextWords, optionNames } from './words.ts';

export function bashScript(commands: readonly Completed[]): string {
  const next = [...nextWords(commands)].map(
    ([before, words]) => `    '${before}') words='${words.map(one => one.word).join(' ')}' ;;`,
  );
  const options = commands.map(
    command => `    '${command.words.join(' ')}') options='${optionNames(command).join(' ')}' ;;`,
  );
  const either = (typed: readonly string[]): string => typed.map(words => `'${words}'`).join('|');
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
    ${either(beforeServer(commands))}) words="$words $("\${COMP_WORDS[0]}" ${LIST_IDS} 2>/dev/null)" ;;
    ${either(beforeAgent(commands))}) words="$words ${AGENTS.join(' ')}" ;;
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
