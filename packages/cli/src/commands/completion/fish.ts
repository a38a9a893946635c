import { AGENTS, beforeAgent, beforeServer, type Completed, LIST_IDS, nextWords } from './words.ts';

export function fishScript(commands: readonly Completed[]): string {
  const quoted = (text: string): string => text.replaceAll("'", "\\'");
  const after = (typed: string): string => `complete -c junctor -f -n "__junctor_typed '${typed}'"`;
  const lines = [...nextWords(commands)].flatMap(([before, words]) =>
    words.map(({ word, summary }) => `${after(before)} -a '${word}' -d '${quoted(summary)}'`),
  );
  const servers = beforeServer(commands).map(typed => `${after(typed)} -a '(junctor ${LIST_IDS} 2>/dev/null)'`);
  const agents = beforeAgent(commands).map(typed => `${after(typed)} -a '${AGENTS.join(' ')}'`);
  const options = commands.flatMap(command =>
    Object.entries(command.options).map(([name, { help, value }]) => {
      const takes = value === undefined ? '' : ' -r';
      return `complete -c junctor -n "__junctor_typed '${command.words.join(' ')}'" -l '${name}'${takes} -d '${quoted(help)}'`;
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
${[...lines, ...servers, ...agents, ...options].join('\n')}
`;
}
