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
}

export interface DeviceInfo {
  readonly verificationUri: string;
  readonly verificationUriComplete?: string;
  readonly userCode: string;
  readonly expiresInSeconds: number;
}
