/** What a client asks first: which version this is, and which kinds of things it knows. */
const VERBS = ['create', 'delete', 'get', 'list', 'watch'];

const resource = (name: string, kind: string, shortNames: readonly string[] = []) => ({
  name,
  singularName: kind.toLowerCase(),
  namespaced: true,
  kind,
  verbs: VERBS,
  shortNames,
});

export const DISCOVERY: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '32', gitVersion: 'v1.32.4' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      resource('pods', 'Pod', ['po']),
      resource('services', 'Service', ['svc']),
      resource('secrets', 'Secret'),
    ],
  },
};
