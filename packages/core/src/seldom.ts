/** Doors that few programs go through. What is behind each is loaded when it is opened: a start would pay for it else. */

type Doctor = typeof import('./diagnostics/doctor/examine-servers.ts');
type SignIn = typeof import('./host/sign-in.ts');
type Lock = typeof import('./host/lock.ts');

/** Looks at servers as `junctor doctor` does: program, connection, eras, sign-in, tools. Ends what it started. */
export const examineServers: Doctor['examineServers'] = async options =>
  (await import('./diagnostics/doctor/examine-servers.ts')).examineServers(options);

/**
 * Signs a person in to a server, through the browser that `visit` sends them to. The tokens are kept, renewed and
 * used.
 */
export const signIn: SignIn['signIn'] = async (host, server, options) =>
  (await import('./host/sign-in.ts')).signIn(host, server, options);

/** Removes the sign-in to a server, or all of them, tells the authorization server, and says which were removed. */
export const signOut: SignIn['signOut'] = async (host, server, options) =>
  (await import('./host/sign-in.ts')).signOut(host, server, options);

/** Names of the sign-ins that are stored for a server: `github`, or `github#work` for a further account. */
export const signInsOf: SignIn['signInsOf'] = async (host, server) =>
  (await import('./host/sign-in.ts')).signInsOf(host, server);

/** Who is signed in where: every server of the host, and every account that is stored for it. */
export const authStatus: SignIn['authStatus'] = async host => (await import('./host/sign-in.ts')).authStatus(host);

/** Compares the lockfile with what servers offer now. Changes nothing. */
export const inspectLock: Lock['inspectLock'] = async (host, options) =>
  (await import('./host/lock.ts')).inspectLock(host, options);

/** Writes into the lockfile that these changes of an inspection are approved, and no others. */
export const approveLock: Lock['approveLock'] = async (inspection, changes) =>
  (await import('./host/lock.ts')).approveLock(inspection, changes);
