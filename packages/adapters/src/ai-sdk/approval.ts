/**
 * Approvals by the AI SDK's own hook. With `toolApproval`, a call that the rules want asked about ends the run with an
 * approval request, and goes on with the answer in the messages. Without it, the host asks, or says no.
 */

import type { Ask, Host } from '@junctor/core';
import type { ModelMessage, ToolApprovalStatus } from 'ai';
import type { Toolbox } from '../toolbox/toolbox.ts';

/** What the hook is told of a call. Only the fields that are needed: it fits any set of tools. */
export interface AskedCall {
  /** The call, as the AI SDK tells it. */
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
}

/** For `toolApproval` of the AI SDK: whether a call needs a yes, by the rules of the host. */
export type ToolApproval = (asked: AskedCall) => ToolApprovalStatus;

export class Approvals {
  readonly #host: Host;
  readonly #box: Toolbox;
  /** Calls that went through the hook: an answer in the messages counts for these, and for no others. */
  readonly #hooked = new Set<string>();

  constructor(host: Host, box: Toolbox) {
    this.#host = host;
    this.#box = box;
  }

  readonly toolApproval: ToolApproval = ({ toolCall: { toolCallId, toolName, input } }) => {
    const asked = this.#box.judged(toolName, input);
    if (!asked) return undefined;
    const { server, tool } = asked.ref;
    const verdict = this.#host.judge(server, tool, asked.args);
    // A no is told by the host, as every other way in hears it.
    if (verdict.effect !== 'ask') return undefined;
    this.#hooked.add(toolCallId);
    return { type: 'user-approval', reason: `'${tool}' on server '${server}': ${verdict.because}` };
  };

  /** Says yes for the person who said yes to this call. Undefined where nobody did: then the host asks. */
  askFor(toolCallId: string, messages: readonly ModelMessage[]): Ask | undefined {
    if (!this.#hooked.delete(toolCallId) || !approved(toolCallId, messages)) return undefined;
    return async () => true;
  }
}

function approved(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  const requests = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant' || typeof message.content === 'string') continue;
    for (const part of message.content)
      if (part.type === 'tool-approval-request' && part.toolCallId === toolCallId) requests.add(part.approvalId);
  }
  return messages.some(
    ({ role, content }) =>
      role === 'tool' &&
      content.some(part => part.type === 'tool-approval-response' && part.approved && requests.has(part.approvalId)),
  );
}
