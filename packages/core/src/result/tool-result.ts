/** What came back from a tool, in one shape whatever the server sent. */
export interface ToolResult {
  readonly success: boolean;
  /** All text, for people and models. */
  readonly output: string;
  /** Structured content, as the server gave it. */
  readonly data?: unknown;
  /** What went wrong, when `success` is false. */
  readonly error?: string;
  /** The call was not run: a rule or a person said no. */
  readonly denied?: true;
  /** Every content block, in order and untouched. */
  readonly parts: readonly ContentPart[];
}

export interface ContentPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function toToolResult(answer: unknown): ToolResult {
  const { content, structuredContent, isError } = (answer ?? {}) as {
    content?: unknown;
    structuredContent?: unknown;
    isError?: unknown;
  };
  const parts = Array.isArray(content) ? (content as ContentPart[]) : [];
  const output = textOf(parts, structuredContent);
  const data = structuredContent === undefined ? {} : { data: structuredContent };
  if (isError === true) {
    return { success: false, output, ...data, error: output || 'the tool failed without saying why', parts };
  }
  return { success: true, output, ...data, parts };
}

/** A call that was not run, told so that a model can read it. */
export function refusal(sentence: string): ToolResult {
  return { success: false, denied: true, output: sentence, error: sentence, parts: [{ type: 'text', text: sentence }] };
}

function textOf(parts: readonly ContentPart[], structured: unknown): string {
  const only = parts[0];
  if (parts.length === 1 && only?.type === 'text') return String(only.text);
  if (parts.length === 0) return structured === undefined ? '' : JSON.stringify(structured);
  return parts.map(describePart).join('\n');
}

function describePart(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return String(part.text);
    case 'image':
    case 'audio':
      return `[${part.type} ${part.mimeType}, ${base64Bytes(part.data)} bytes]`;
    case 'resource_link':
      return `[link ${part.uri}]`;
    case 'resource': {
      const resource = part.resource as { uri?: unknown; text?: unknown } | undefined;
      return typeof resource?.text === 'string' ? resource.text : `[resource ${resource?.uri}]`;
    }
    default:
      return `[${part.type}]`;
  }
}

function base64Bytes(data: unknown): number {
  return typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0;
}
