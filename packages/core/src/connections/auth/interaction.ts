/** How a person takes part in a sign-in. Whoever embeds Junctor says how; nothing here opens a browser. */
export interface Interaction {
  /** Brings the person to this page: opens a browser, or shows the address. Whatever it throws ends the sign-in. */
  visit(url: URL, about: { readonly server: string }): void | Promise<void>;
  /** The address of the page the browser ended on, pasted by a person whose browser is on another machine. */
  pasted?(signal: AbortSignal): Promise<string>;
  /** Shows a code that the person enters elsewhere; used where the authorization server offers it. */
  readonly device?: { show(info: DeviceInfo): void } | undefined;
  /** Where the browser comes back to on this machine. Default: any free port. */
  readonly callbackPort?: number | undefined;
  /** For a program on the web: a page of its own that the browser comes back to. No port of this machine is opened. */
  readonly page?: OwnPage | undefined;
}

/** A page of the embedding program at the end of a sign-in. */
export interface OwnPage {
  /** Its address as the authorization server knows it, such as `https://app.example.com/mcp/callback`. */
  readonly redirectUri: string;
  /**
   * Settles with the whole address the browser came back to in the sign-in that has this `state`. Asked before `visit`.
   * The signal aborts where nobody waits for it any more.
   */
  returned(state: string, signal: AbortSignal): Promise<string | URL>;
}

/** What a person who signs in on another device has to know. */
export interface DeviceInfo {
  /** The page to open there. */
  readonly verificationUri: string;
  /** The same with the code in it, for a QR code. */
  readonly verificationUriComplete?: string;
  /** What to type on that page. */
  readonly userCode: string;
  /** How long the code is good. */
  readonly expiresInSeconds: number;
}
