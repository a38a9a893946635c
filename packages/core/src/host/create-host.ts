/** The way to a host: its config is read, and read again when it changed. */
import { JunctorError } from '../base/error.ts';
import { Redactor } from '../base/log/redact.ts';
import type { LoadMcpConfigOptions } from '../config/load.ts';
import { describeProblem, type Problem } from '../config/problem.ts';
import { ownSurroundings } from '../config/sources/places.ts';
import { type Prepared, prepare } from './config/prepare.ts';
import { Host } from './host.ts';
import type { HostOptions } from './host-options.ts';

/**
 * Reads the config and gives the host of its servers, which starts each when it is first needed. Close it, or hold it with
 * `await using`: a server that runs keeps the program running. A server that is written wrongly costs itself only, see
 * `failures()`; a `config` that is none is thrown as `config_invalid`.
 */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const surroundings = options.surroundings ?? ownSurroundings();
  const redactor = options.redactor ?? new Redactor();
  const prepareAgain = async (): Promise<Prepared> => {
    const prepared = await prepare({ ...options, ...givenConfig(options), surroundings, redactor });
    const { layers, problems } = prepared.loaded;
    const isThere = layers.some(({ name }) => name === 'override' || name === 'enterprise');
    if (options.config !== undefined && !isThere) throw noConfig(problems);
    if (!options.reroute) return prepared;
    const servers = await options.reroute(prepared.resolution.servers);
    return { ...prepared, resolution: { ...prepared.resolution, servers } };
  };
  const host = new Host({ prepared: await prepareAgain(), options, redactor, prepareAgain });
  if ((options.connect ?? host.loaded.frame.startup?.connect) === 'eager') void host.start();
  return host;
}

/** A program that brings its own config gets that config, not whatever lies in the directory it runs in. */
function givenConfig({ config, overrides, path }: HostOptions): LoadMcpConfigOptions {
  if (config === undefined) return {};
  return { overrides: overrides ?? config, isolated: true, path, withoutDiscovery: true };
}

/** A `config` that cannot be read: without the error the host would have no servers, and nobody would know why. */
function noConfig(problems: readonly Problem[]): JunctorError {
  return new JunctorError('config_invalid', 'The config that createHost was given cannot be read.', {
    why: problems.map(describeProblem).join('\n'),
    hint: 'pass { config: { version: 1, servers: { … } } }, or leave config out to read files',
  });
}
