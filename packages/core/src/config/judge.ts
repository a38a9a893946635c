/** Holds what a dialect read against the one schema. What is valid is returned, what is not is listed with its place. */

import { badUrl } from './bad-url.ts';
import { badId, explainIssue, notAnObject, oauthOnStdio } from './complaints.ts';
import type { DialectReading, ReadServer } from './dialects/dialect.ts';
import { isObject, valueAt } from './dialects/entry-reader.ts';
import type { ConfigDocument, Path } from './formats/document.ts';
import { type FoundProblem, formatPath, type Problem } from './problem.ts';
import { unreadableRules } from './rules-check.ts';
import { type ConfigFrame, FileFrame, type McpConfig, type McpServerDef, ServerDef } from './schema.ts';
import { SERVER_ID } from './server-words.ts';
import { validSections } from './valid-sections.ts';

export interface Judged {
  readonly config: McpConfig;
  readonly problems: readonly Problem[];
}

/** A bad server costs that server only; a bad key of the frame costs the frame's own keys. */
export function judge(document: ConfigDocument, reading: DialectReading): Judged {
  const problems: Problem[] = [];
  const report = (path: Path, found: FoundProblem): void => {
    problems.push({ file: document.file, ...document.locate(path), path: formatPath(path), ...found });
  };
  for (const { path, ...problem } of reading.problems) report(path, problem);
  const refused = new Set(reading.problems.flatMap(problem => problem.server ?? []));
  const servers: Record<string, McpServerDef> = Object.create(null);
  const overlays: Record<string, boolean> = Object.create(null);
  for (const server of reading.servers) {
    const written = valueAt(document.value, server.path);
    if (written !== undefined && !isObject(written)) {
      report(server.path, notAnObject(server.id, written));
      continue;
    }
    const verdict = judgeServer(server, report);
    if (refused.has(server.id)) continue;
    if (verdict?.definition) servers[server.id] = verdict.definition;
    else if (verdict?.enabled !== undefined) overlays[server.id] = verdict.enabled;
  }
  return { config: { ...judgeFrame(reading, report), servers, overlays }, problems };
}

type Report = (path: Path, found: FoundProblem) => void;

function judgeFrame({ frame, frameAt = {} }: DialectReading, report: Report): ConfigFrame {
  const judged = FileFrame.safeParse(frame);
  if (judged.success) {
    const { $schema: _schema, version: _version, servers: _servers, ...rest } = judged.data;
    for (const { path, wrong } of unreadableRules(rest.permissions)) report(placeIn(frameAt, [], path), wrong);
    return rest;
  }
  for (const issue of judged.error.issues) {
    for (const { path, ...found } of explainIssue(issue, frame)) report(placeIn(frameAt, [], path), found);
  }
  return withoutBadKeys(frame, new Set(judged.error.issues.map(issue => issue.path[0])));
}

/** The rest of a frame still counts when one of its keys is wrong. */
function withoutBadKeys(
  frame: Readonly<Record<string, unknown>>,
  bad: ReadonlySet<PropertyKey | undefined>,
): ConfigFrame {
  const kept = Object.entries(frame).filter(([key]) => key in FileFrame.shape && !bad.has(key));
  const judged = FileFrame.safeParse(Object.fromEntries(kept));
  const { $schema: _schema, version: _version, servers: _servers, ...rest } = judged.success ? judged.data : {};
  return { ...rest, ...validSections(frame, bad) };
}

function judgeServer(server: ReadServer, report: Report): { definition?: McpServerDef; enabled?: boolean } | undefined {
  const { id, definition } = server;
  if (!SERVER_ID.test(id)) {
    report(server.path, badId(id));
    return undefined;
  }
  const enabled = onlySwitch(definition);
  if (enabled !== undefined) return { enabled };
  const tell = (path: Path, found: FoundProblem): void => report(placeOf(server, path), { server: id, ...found });
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
function onlySwitch(definition: Readonly<Record<string, unknown>>): boolean | undefined {
  const { enabled } = definition;
  return typeof enabled === 'boolean' && Object.keys(definition).length === 1 ? enabled : undefined;
}

/** From a canonical path inside a server to the place in the file that says it. */
function placeOf({ path, at }: ReadServer, inside: Path): Path {
  return placeIn(at, path, inside);
}

/** The longest known beginning of a path, and what is left of it. */
export function placeIn(at: Readonly<Record<string, Path>>, base: Path, inside: Path): Path {
  for (let length = inside.length; length > 0; length--) {
    const key = inside.slice(0, length).join('.');
    if (Object.hasOwn(at, key)) return [...(at[key] as Path), ...inside.slice(length)];
  }
  return [...base, ...inside];
}
