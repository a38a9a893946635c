/** The file of an agent on the hub's machine, and the one entry that leads it to this hub. */
import {
  type AgentTarget,
  ANY_TOKEN_VARIABLE,
  agentDialect,
  agentFile,
  checkWritten,
  connectCommand,
  describeDrift,
  hubEntry,
  learnSecrets,
  type ProgramCommand,
  previewRemoval,
  previewServers,
  previewUndo,
  removeWritten,
  tokenVariable,
  USUAL_HUB_URL,
  undoWrite,
  unifiedDiff,
  type WantedServer,
  writeServers,
} from '@junctor/core/config-write';
import {
  JunctorError,
  ownSurroundings,
  Redactor,
  type Surroundings,
  dataDirectory as usualData,
} from '@junctor/core/light';
import { readHubFile } from '../store/read-hub-file.ts';

export type FileAction = 'write' | 'undo' | 'remove';

export interface FileState {
  readonly title: string;
  readonly file: string;
  /** Ids of what Junctor wrote there. */
  readonly written: readonly string[];
  readonly drift: readonly { readonly id: string; readonly message: string; readonly exposed: boolean }[];
  /** What each action would change, as lines; empty: nothing. */
  readonly previews: Readonly<Record<FileAction, string>>;
  /** The variable that has to hold the agent's token; undefined: it finds the token by itself. */
  readonly tokenVariable: string | undefined;
  /** The file as it is: for telling whether it is still what somebody saw. */
  readonly content: string;
}

export interface FileChange {
  readonly diff: string;
  /** What somebody else had changed, and therefore stays. */
  readonly stayed: readonly string[];
  readonly backup: string | undefined;
}

export interface AgentFileOptions {
  readonly surroundings?: Surroundings | undefined;
  readonly dataDirectory: string;
  /** What starts Junctor on this machine. */
  readonly program: ProgramCommand;
}

/** `junctor connect` for a client on the hub's machine that starts programs. */
export function connectFor(
  agent: string,
  { surroundings = ownSurroundings(), dataDirectory, program }: AgentFileOptions,
): ProgramCommand {
  // A client does not have the variables that the hub was started with.
  const { JUNCTOR_DATA: _data, ...env } = surroundings.env;
  const usual = usualData({ ...surroundings, env });
  return connectCommand(program, agent, dataDirectory === usual ? undefined : dataDirectory);
}

export class AgentFile {
  readonly #target: AgentTarget;
  readonly #wanted: readonly WantedServer[];

  private constructor(target: AgentTarget, wanted: readonly WantedServer[]) {
    this.#target = target;
    this.#wanted = wanted;
  }

  /** Throws `usage` for an agent whose file Junctor cannot write. */
  static async of(agent: string, options: AgentFileOptions) {
    const { surroundings = ownSurroundings(), dataDirectory } = options;
    const dialect = agentDialect(agent);
    const { url = USUAL_HUB_URL } = (await readHubFile(dataDirectory)) ?? {};
    const target = { dialect, file: agentFile(dialect, surroundings), dataDirectory };
    return new AgentFile(target, [hubEntry(dialect, url, connectFor(dialect.name, options))]);
  }

  async state(): Promise<FileState> {
    const { file, dialect } = this.#target;
    const [{ written, drifts }, write, removal, undo] = await Promise.all([
      checkWritten(this.#target, this.#address),
      previewServers(this.#target, this.#wanted),
      previewRemoval(this.#target),
      previewUndo(this.#target),
    ]);
    return {
      title: dialect.title,
      file,
      written,
      drift: drifts.map(drift => ({ id: drift.id, message: describeDrift(drift), exposed: drift.exposed })),
      previews: {
        write: await this.#diff(write.before, write.after),
        remove: await this.#diff(removal.before, removal.after ?? ''),
        undo: undo.kind === 'nothing' ? '' : await this.#diff(undo.before, undo.after),
      },
      tokenVariable: write.after.includes(tokenVariable(dialect.name)) ? tokenVariable(dialect.name) : undefined,
      content: write.before,
    };
  }

  async change(action: FileAction): Promise<FileChange> {
    if (action === 'write') {
      const { before, after, backup, stayed, leftOut } = await writeServers(this.#target, this.#wanted);
      const [refused] = leftOut;
      if (refused) throw notWritten(this.#target.file, refused.because);
      return { diff: await this.#diff(before, after), backup, stayed: stayed.map(describeDrift) };
    }
    if (action === 'remove') {
      const { before, after, stayed } = await removeWritten(this.#target);
      return { diff: await this.#diff(before, after ?? ''), backup: undefined, stayed: stayed.map(describeDrift) };
    }
    const undone = await undoWrite(this.#target);
    const diff = undone.kind === 'nothing' ? '' : await this.#diff(undone.before, undone.after);
    return { diff, backup: undefined, stayed: [] };
  }

  /** Where its entry leads; undefined: it starts a program that finds the hub by itself. */
  get #address(): string | undefined {
    return this.#wanted.flatMap(({ definition }) => ('url' in definition ? definition.url : []))[0];
  }

  /** What else stands in the file may be secret. */
  async #diff(before: string, after: string): Promise<string> {
    const { file } = this.#target;
    const redactor = new Redactor();
    await learnSecrets(redactor, file, before);
    await learnSecrets(redactor, file, after);
    // A line that names the variable holds no token; what only looks like one is left readable there.
    const masked = (line: string): string =>
      line.includes(ANY_TOKEN_VARIABLE) ? redactor.maskKnown(line) : redactor.mask(line);
    return unifiedDiff(file, before, after).split('\n').map(masked).join('\n');
  }
}

function notWritten(file: string, why: string): JunctorError {
  return new JunctorError('config_conflict', `The hub cannot be written into ${file}.`, {
    why,
    hint: 'fix the file, then try again; nothing was written',
  });
}
