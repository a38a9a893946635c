/** Events as lines a person reads: which tool, with what, how far, how long, how it went. */
import type { Host, ToolResult } from '@junctor/core';
import { maskArguments, plainText } from '@junctor/core/light';
import type { ChatEvent, ToolOrigin } from '../chat-event.ts';

export class EventLines {
  readonly #host: Pick<Host, 'mask' | 'nextStep'>;

  constructor(host: Pick<Host, 'mask' | 'nextStep'>) {
    this.#host = host;
  }

  of(event: ChatEvent): string[] {
    switch (event.type) {
      case 'servers-missing':
        return event.failures.flatMap(({ server, error }) => {
          const step = this.#host.nextStep(error);
          const warning = this.#host.mask(`warning: MCP server '${server}' unavailable: ${error.message}`);
          return step ? [warning, `  try: ${step}`] : [warning];
        });
      case 'tool-begin':
        return [`→ ${nameOf(event)} ${this.#arguments(event.input)}`];
      case 'tool-progress':
        // What a tool says last comes as progress first.
        return resultOf(event.output) ? [] : [`  ${nameOf(event)} ${progressOf(event.output)}`];
      case 'tool-end':
        return [`${markOf(event)} ${nameOf(event)} ${duration(event.ms)}${this.#outcome(event)}`];
      default:
        return [];
    }
  }

  #arguments(input: unknown): string {
    const masked = maskArguments(input ?? {}, text => this.#host.mask(text));
    return plainText(JSON.stringify(masked), { maxChars: 160 });
  }

  #outcome({ output, error }: Extract<ChatEvent, { type: 'tool-end' }>): string {
    const result = resultOf(output);
    if (error !== undefined || !result) return error === undefined ? '' : `: ${this.#short(error)}`;
    if (!result.success) return `: ${this.#short(result.error ?? result.output)}`;
    const cut = result.artifact ? `, cut: the whole has the id ${result.artifact.id}` : '';
    const shown = this.#short(result.output);
    return `${cut}${shown ? `: ${shown}` : ''}`;
  }

  #short(text: string): string {
    return plainText(this.#host.mask(text), { maxChars: 120 });
  }
}

type ToolEvent = { readonly tool: string; readonly from?: ToolOrigin };

/** `fs read_file`: the server first, as in every table. */
export function nameOf({ tool, from }: ToolEvent): string {
  if (!from) return plainText(tool, { maxChars: 80 });
  return plainText(from.server === undefined ? from.name : `${from.server} ${from.name}`, { maxChars: 80 });
}

function markOf({ output, error }: Extract<ChatEvent, { type: 'tool-end' }>): string {
  const result = resultOf(output);
  if (result?.denied) return '⊘ denied';
  return error !== undefined || result?.success === false ? '✗ failed' : '✓';
}

export function resultOf(output: unknown): ToolResult | undefined {
  return typeof output === 'object' && output !== null && 'success' in output ? (output as ToolResult) : undefined;
}

/** A bar where the end is known. */
export function progressOf(output: unknown): string {
  const { progress, total, message } = (output ?? {}) as { progress?: number; total?: number; message?: string };
  const words = message ? ` ${plainText(message, { maxChars: 60 })}` : '';
  if (typeof progress !== 'number') return `…${words}`;
  if (typeof total !== 'number' || total <= 0) return `${progress}${words}`;
  const filled = Math.max(0, Math.min(BAR, Math.round((progress / total) * BAR)));
  return `[${'█'.repeat(filled)}${'·'.repeat(BAR - filled)}] ${progress} of ${total}${words}`;
}

const BAR = 20;

function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
