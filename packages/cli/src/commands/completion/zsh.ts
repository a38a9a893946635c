import { AGENTS, beforeAgent, beforeServer, type Completed, LIST_IDS, nextWords, optionNames } from './words.ts';

/** `words` is the shell's own name for what was typed: a local of that name would hide it. */
export function zshScript(commands: readonly Completed[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  const next = [...nextWords(commands)].map(
    ([before, words]) =>
      `    '${before}') following=(${words.map(one => `'${one.word}:${quoted(one.summary)}'`).join(' ')}) ;;`,
  );
  const options = commands.map(
    command => `    '${command.words.join(' ')}') options=(${optionNames(command).join(' ')}) ;;`,
  );
  const either = (typed: readonly string[]): string => typed.map(words => `'${words}'`).join('|');
  return `#compdef junctor
_junctor() {
  local typed='' word
  local -a following options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || typed="\${typed:+$typed }$word"
  done
  case "$typed" in
${next.join('\n')}
  esac
  case "$typed" in
    ${either(beforeServer(commands))}) following+=(\${(f)"$($words[1] ${LIST_IDS} 2>/dev/null)"}) ;;
    ${either(beforeAgent(commands))}) following+=(${AGENTS.join(' ')}) ;;
  esac
  case "$typed" in
${options.join('\n')}
    *) options=(--help --version --json) ;;
  esac
  if [[ $PREFIX == -* ]]; then compadd -a options; return; fi
  (( \${#following} )) && _describe command following || _files
}
compdef _junctor junctor
`;
}
