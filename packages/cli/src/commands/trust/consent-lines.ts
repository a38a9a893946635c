/** What a project brings along, in lines that a person reads before they approve it. Nothing is cut or left out. */
import { consentTo, type LoadedServer } from '@junctor/core/config-read';
import { type AskedPower, describePower } from '@junctor/core/config-write';
import { visibleText } from '@junctor/core/light';

/** One server, field by field, and what it receives. */
export function serverLines(server: Pick<LoadedServer, 'definition' | 'dialect'>): string[] {
  const { fields, receives } = consentTo(server);
  return [...fields, ...receives.map(line => `! ${line}`)];
}

/** What a file says beyond its servers. */
export function powerLines({ power }: Pick<AskedPower, 'power'>): string[] {
  return [visibleText(describePower(power))];
}

/** Everything that waits, as one text. */
export function waitingLines(
  servers: readonly Pick<LoadedServer, 'id' | 'definition' | 'dialect' | 'source'>[],
  powers: readonly AskedPower[],
): string[] {
  return [
    ...servers.flatMap(server => [
      `server ${server.id} (${server.source})`,
      ...serverLines(server).map(line => `  ${line}`),
    ]),
    ...powers.flatMap(one => powerLines(one).map(line => `rule (${one.layer.source}): ${line}`)),
  ];
}
