/** Holds what a dialect read against the one schema. What is valid is returned, what is not is listed with its place. */

import { isObject } from '../../base/json/is-object.ts';
import type { DialectReading, ReadServer } from '../dialects/dialect.ts';
import { valueAt } from '../dialects/entry-reader.ts';
import type { ConfigDocument, Path } from '../formats/document.ts';
import { type FoundProblem, formatPath, type Problem } from '../problem.ts';
import type { McpConfig } from '../schema/schema.ts';
import { type McpServerDef, ServerDef } from '../schema/server-schema.ts';
import { SERVER_ID } from '../schema/server-words.ts';
import { badUrl } from './bad-url.ts';
import { badId, explainIssue, noSwitch, notAnObject, oauthOnStdio } from './complaints.ts';
import { judgeFrame, placeIn, type Report } from './judge-frame.ts';

export interface Judged {
  readonly config: McpConfig;
  /** Where a key of the frame, such as `permissions.deny.0`, stands in the file when that is somewhere else. */
  readonly frameAt: Readonly<Record<string, Path>>;
  readonly problems: readonly Problem[];
}

/** A bad server costs that server only; a bad key of the frame costs the frame's own keys. */
export function judge(document: ConfigDocument, reading: DialectReading): Judged {
  const problems: Problem[] = [];
  const duplicates = document.duplicates ?? [];
  const report = (path: Path, found: FoundProblem): void => {
    // What takes the place of a duplicate key is wrong by design; the duplicate itself is the problem.
    if (duplicates.some(duplicate => isWithin(path, duplicate.path))) return;
    problems.push({ file: document.file, ...document.locate(path), path: formatPath(path), ...found });
  };
  for (const { path, problem } of duplicates) {
    const server = reading.servers.find(one => isWithin(path, one.path));
    problems.push(server ? { ...problem, server: server.id } : problem);
  }
  for (const { path, ...problem } of reading.problems) report(path, problem);
  const refused = new Set([...problems, ...reading.problems].flatMap(problem => problem.server ?? []));
  const servers: Record<string, McpServerDef> = Object.create(null);
  const overlays: Record<string, boolean> = Object.create(null);
  const broken: string[] = [];
  for (const server of reading.servers) {
    const written = valueAt(document.value, server.path);
    const isEntry = written === undefined || isObject(written);
    if (!isEntry) report(server.path, notAnObject(server.id, written));
    const verdict = isEntry ? judgeServer(server, report) : undefined;
    if (refused.has(server.id) || !verdict) broken.push(server.id);
    else if (verdict.definition) servers[server.id] = verdict.definition;
    else overlays[server.id] = verdict.enabled;
  }
  const { frame, at } = judgeFrame(reading, report);
  const switches = Object.keys(overlays).length > 0 ? { overlays } : {};
  const { agent } = reading;
  const config = {
    ...frame,
    servers,
    ...switches,
    ...(broken.length > 0 ? { broken } : {}),
    ...(agent === undefined ? {} : { agent }),
  };
  return { config, frameAt: at, problems };
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, index) => path[index] === step);
}

/** What an entry says: a whole definition, or only whether a server of a lower layer is on. */
type Verdict = { readonly definition: McpServerDef } | { readonly definition?: undefined; readonly enabled: boolean };

/** Undefined where it is told what is wrong. */
function judgeServer(server: ReadServer, report: Report): Verdict | undefined {
  const { id, definition } = server;
  if (!SERVER_ID.test(id)) {
    report(server.path, badId(id));
    return undefined;
  }
  const enabled = onlySwitch(definition);
  if (typeof enabled === 'boolean') return { enabled };
  const tell = (path: Path, found: FoundProblem): void => report(placeOf(server, path), { server: id, ...found });
  if (enabled !== undefined) {
    tell(['enabled'], noSwitch(enabled, 'The server is off'));
    return undefined;
  }
  if (definition.transport === 'stdio' && definition.oauth !== undefined) {
    tell(['oauth'], oauthOnStdio(id));
    return undefined;
  }
  const judged = ServerDef.safeParse(definition);
  if (!judged.success) {
    for (const issue of judged.error.issues) {
      for (const { path, ...found } of explainIssue(issue, definition, { id, at: server.at })) tell(path, found);
    }
    return undefined;
  }
  const wrongUrl = judged.data.transport === 'stdio' ? undefined : badUrl(id, judged.data);
  if (!wrongUrl) return { definition: judged.data };
  tell(['url'], wrongUrl);
  return undefined;
}

/** What an entry says that only switches a server of a lower layer. Judged without the schema: nearly no entry is one. */
function onlySwitch(definition: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(definition).length === 1 ? definition.enabled : undefined;
}

/** From a canonical path inside a server to the place in the file that says it. */
function placeOf({ path, at }: ReadServer, inside: Path): Path {
  return placeIn(at, path, inside);
}
