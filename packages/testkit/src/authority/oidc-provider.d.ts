/** The part of `oidc-provider` that the authority uses; the package brings no types. */
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Token {
    readonly clientId?: string;
    readonly accountId?: string;
    readonly grantId?: string;
    readonly aud?: string | string[];
    readonly scope?: string;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface Interaction {
    readonly uid: string;
    readonly grantId?: string;
    readonly params: { readonly client_id: string };
    readonly session?: { readonly accountId: string };
    readonly prompt: {
      readonly name: string;
      readonly details: {
        readonly missingOIDCScope?: string[];
        readonly missingResourceScopes?: Record<string, string[]>;
      };
    };
  }

  export interface Context {
    readonly path: string;
    readonly method: string;
    readonly req: IncomingMessage & { originalUrl?: string };
    readonly oidc?: {
      readonly route: string;
      readonly body?: Record<string, string>;
      readonly params?: Record<string, string>;
      readonly entities: Record<string, Token | undefined>;
    };
    status: number;
    body: unknown;
    query: Record<string, string>;
    readonly response: { get(header: string): string };
    set(header: string, value: string): void;
  }

  export interface Adapter {
    upsert(id: string, payload: object, expiresInSeconds?: number): Promise<void>;
    find(id: string): Promise<object | undefined>;
    findByUid(uid: string): Promise<object | undefined>;
    findByUserCode(userCode: string): Promise<object | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  interface TokenModel {
    find(value: string): Promise<Token | undefined>;
  }

  export class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object);
    readonly issuer: string;
    readonly AccessToken: TokenModel;
    readonly ClientCredentials: TokenModel;
    readonly Grant: {
      new (properties: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }

  export const errors: {
    InvalidTarget: new (description?: string) => Error;
    InvalidRequest: new (description?: string) => Error;
  };
}
