import { describe, expect, test } from 'vitest';
import { environmentFor } from './environment.ts';

describe('the environment of a server', () => {
  test.each([
    'HTTP_PROXY',
    'https_proxy',
    'no_proxy',
    'ALL_PROXY',
    'SSL_CERT_FILE',
    'NODE_EXTRA_CA_CERTS',
    'LC_ALL',
    'Path',
  ])('has %s of ours', name => {
    expect(environmentFor({ [name]: 'x' }, {})).toEqual({ [name]: 'x' });
  });

  test.each([
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'JUNCTOR_TOKEN',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'NPM_CONFIG__AUTH',
    'PORT',
  ])('has no %s of ours', name => {
    expect(environmentFor({ [name]: 'x' }, {})).toEqual({});
  });

  test('has what the config names, also in the place of ours', () => {
    expect(environmentFor({ PATH: '/ours', HOME: '/h' }, { PATH: '/own', KEY: 'k' })).toEqual({
      PATH: '/own',
      HOME: '/h',
      KEY: 'k',
    });
  });

  test('on Windows has one PATH, however it is spelled', () => {
    expect(environmentFor({ Path: 'C:\\ours' }, { PATH: 'C:\\own' }, 'win32')).toEqual({ PATH: 'C:\\own' });
    expect(environmentFor({ Path: '/ours' }, { PATH: '/own' }, 'linux')).toEqual({ Path: '/ours', PATH: '/own' });
  });

  test('passes on nothing a shell would run', () => {
    expect(environmentFor({ LC_X: '() { :; }; echo owned' }, {})).toEqual({});
  });
});
