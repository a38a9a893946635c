/** Doors that few programs go through. What is behind each is loaded when it is opened: a start would pay for it else. */

type Doctor = typeof import('./doctor/examine-servers.ts');
type SignIn = typeof import('./sign-in.ts');
type Lock = typeof import('./lock.ts');

export const examineServers: Doctor['examineServers'] = async options =>
  (await import('./doctor/examine-servers.ts')).examineServers(options);

export const signIn: SignIn['signIn'] = async (host, server, options) =>
  (await import('./sign-in.ts')).signIn(host, server, options);

export const signOut: SignIn['signOut'] = async (host, server, options) =>
  (await import('./sign-in.ts')).signOut(host, server, options);

export const signInsOf: SignIn['signInsOf'] = async (host, server) =>
  (await import('./sign-in.ts')).signInsOf(host, server);

export const authStatus: SignIn['authStatus'] = async host => (await import('./sign-in.ts')).authStatus(host);

export const inspectLock: Lock['inspectLock'] = async (host, options) =>
  (await import('./lock.ts')).inspectLock(host, options);

export const approveLock: Lock['approveLock'] = async (inspection, changes) =>
  (await import('./lock.ts')).approveLock(inspection, changes);
