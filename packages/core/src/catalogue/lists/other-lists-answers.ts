/** What servers answer about resources and prompts, in the shapes of MCP. What stands in them is a stranger's. */

/** An item of a list, and the server it is from. */
export interface Offered<Item> {
  /** The id of the server. */
  readonly server: string;
  /** As the server describes it. */
  readonly definition: Item;
}

/** One part of a resource, as its server sent it. */
export interface ResourcePart {
  /** Which resource it is: that which was asked for, or one inside it. */
  readonly uri: string;
  /** What kind of text or bytes it is. */
  readonly mimeType?: string;
  /** Its words, where it is a text. */
  readonly text?: string;
  /** Its bytes as base64, where it is none. */
  readonly blob?: string;
  readonly [field: string]: unknown;
}

/** One message of a prompt, as its server sent it. */
export interface PromptMessage {
  /** Who is to say it. */
  readonly role: 'user' | 'assistant';
  /** One block, as in the result of a tool: a text, a picture, a resource. */
  readonly content: MessageContent;
  readonly [field: string]: unknown;
}

/** One block of a message. Which keys it has depends on its type. */
export interface MessageContent {
  /** `text`, `image`, `audio`, `resource`, `resource_link`, or a kind that nobody knows yet. */
  readonly type: string;
  /** Of a text. */
  readonly text?: string;
  /** Of a picture or sound, as base64. */
  readonly data?: string;
  /** Of a picture or sound. */
  readonly mimeType?: string;
  readonly [field: string]: unknown;
}

/** What a resource holds. */
export interface ResourceContents {
  /** One part, or several: each a text, or bytes as base64 in `blob`. */
  readonly contents: readonly ResourcePart[];
  readonly [field: string]: unknown;
}

/** A prompt, ready for a model. */
export interface PromptMessages {
  /** In order, for the beginning of a conversation. */
  readonly messages: readonly PromptMessage[];
  /** What it is for, in the server's words. */
  readonly description?: string;
  readonly [field: string]: unknown;
}

/** What is being typed, and where: a prompt's argument, or a variable of a resource template. */
export interface CompletionRequest {
  /** What is being filled in. */
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  /** The argument or variable, and what is typed of it so far. */
  readonly argument: { readonly name: string; readonly value: string };
  /** Values that were chosen already. */
  readonly context?: { readonly arguments: Readonly<Record<string, string>> };
}

/** What a server suggests. */
export interface Completion {
  /** The best first, at most 100. */
  readonly values: readonly string[];
  /** How many there are in all, where the server says. */
  readonly total?: number;
  /** Whether there are more. */
  readonly hasMore?: boolean;
}
