/**
 * The tools by which an agent's clients search others. Whether a session is offered these or all definitions is decided when
 * it first asks for tools, and stays so while it lasts.
 */
import type { Entry } from '@junctor/core';
import {
  absentServers,
  decideSearch,
  FollowedIndex,
  type Frame,
  isObject,
  READ_RESULT,
  RPC_CODE,
  readingParts,
  readRpcError,
  SEARCH_TOOLS,
  type SearchDecision,
  type SearchedTool,
  searchedTool,
  ToolSearch,
  withoutUnseen,
  withPlainNumbers,
  withSchema,
} from '@junctor/core/internal';
import { sentenceFor, toolContent, toolError } from '../visit/own-answers.ts';
import { readAnswer } from '../visit/reply.ts';
import type { Caller, Visit } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import type { AgentLists } from './agent-lists.ts';
import type { House } from './house.ts';

const NAMES: ReadonlySet<unknown> = new Set(SEARCH_TOOLS.map(({ name }) => name));

/** Whether a call is for one of our own. No server's tool is ever given their names. */
export function isSearchTool(name: unknown): boolean {
  return NAMES.has(name);
}

export class AgentSearch {
  readonly #house: House;
  readonly #agent: string;
  readonly #lists: AgentLists;
  /** Of sessions that all have the same tools. */
  readonly #index: FollowedIndex;
  readonly #searches = new WeakMap<Session, ToolSearch>();

  constructor(house: House, agent: string, lists: AgentLists) {
    this.#house = house;
    this.#agent = agent;
    this.#lists = lists;
    this.#index = new FollowedIndex(house.host.wordVectors);
  }

  /** Which tools this session has to search. `entries`: all it may call. */
  decisionFor({ session }: Caller, entries: readonly Entry[]): SearchDecision {
    if (!session.search) {
      session.search = decideSearch(this.#house.host, { ...this.#lists.reader, agent: this.#agent }, entries);
      // Where changes are not followed, what is searched is what was there at the beginning.
      if (!session.search.follows) this.#searchOf(session, entries);
    }
    return session.search;
  }

  /** Answers a call of one of our own tools; one of call_tool goes on as a call of the tool inside. */
  async answer(visit: Visit, call: (inner: Visit) => Promise<void>): Promise<void> {
    const { request, reply, caller } = visit;
    const { name, arguments: args = {} } = request.params;
    const isModern = caller.era === 'modern';
    if (!isObject(args)) return reply.error(RPC_CODE.invalidParams, `The arguments of ${name} must be an object`);
    try {
      if (name === READ_RESULT.name)
        return reply.result(toolContent(await this.#readOn(withPlainNumbers(args) as typeof args, caller), isModern));
      const search = this.#searches.get(caller.session) ?? (await this.#begin(caller));
      const answer = await search.answer(String(name), args);
      if (!answer) return reply.error(RPC_CODE.invalidParams, `Unknown tool: ${name}`);
      if ('text' in answer) {
        if (answer.failed) return toolError(reply, answer.text, isModern);
        return reply.result(toolContent([{ type: 'text', text: answer.text }], isModern));
      }
      const { call: tool, args: inner } = answer;
      const params = { ...request.params, name: tool.name, arguments: inner };
      const translate = (frame: Frame): object | undefined => schemaFor(frame, tool, isModern);
      await call({ ...visit, request: { ...request, params }, translate });
    } catch (error) {
      toolError(reply, sentenceFor(this.#house, error), isModern);
    }
  }

  /** A session may search before it lists, and what is behind the door may be another room than when it began. */
  async #begin(caller: Caller): Promise<ToolSearch> {
    const entries = await this.#lists.searchable(caller);
    this.decisionFor(caller, entries);
    return this.#searchOf(caller.session, entries);
  }

  #searchOf(session: Session, entries: readonly Entry[]): ToolSearch {
    let search = this.#searches.get(session);
    if (!search) {
      const { host } = this.#house;
      const follows = session.search?.follows ?? true;
      search = new ToolSearch({
        begin: follows ? [] : entries.map(searchedTool),
        tools: async () => (await this.#lists.searchable(session)).map(searchedTool),
        absent: () => absentServers(host, id => host.serves(this.#agent, id)),
        follows,
        index: follows && !this.#lists.hasOwnTools(session) ? this.#index : new FollowedIndex(host.wordVectors),
      });
      this.#searches.set(session, search);
    }
    return search;
  }

  async #readOn({ id, ...query }: Record<string, unknown>, { session }: Caller): Promise<object[]> {
    const { host } = this.#house;
    const reading = await host.readResult(String(id), query, session.id);
    return readingParts(reading, { trusted: host.server(reading.server)?.trusted ?? false });
  }
}

/** A server that does not take the arguments: what it says, and what the tool takes. Undefined for every other answer. */
function schemaFor(frame: Frame, tool: SearchedTool, isModern: boolean): object | undefined {
  if (!frame.some(piece => piece.includes(String(RPC_CODE.invalidParams)))) return undefined;
  const { code, message } = readRpcError(readAnswer(frame).error ?? {});
  if (code !== RPC_CODE.invalidParams) return undefined;
  const text = withSchema(withoutUnseen(message), tool);
  return JSON.parse(toolContent([{ type: 'text', text }], isModern, true));
}
