/** Holds what a file says beside its servers against the schema. A key that is wrong costs no other, and frees nothing. */
import type * as z from 'zod/mini';
import type { DialectReading } from '../dialects/dialect.ts';
import type { Path } from '../formats/document.ts';
import type { FoundProblem } from '../problem.ts';
import { type ConfigFrame, FileFrame } from '../schema/schema.ts';
import { explainIssue } from './complaints.ts';
import { respelt } from './misspelt-sections.ts';
import { unreadableRules } from './rules-check.ts';
import { placesOfRules } from './salvaged-rules.ts';
import { validSections } from './valid-sections.ts';

export type Report = (path: Path, found: FoundProblem) => void;

type Frame = Readonly<Record<string, unknown>>;
type Places = Readonly<Record<string, Path>>;

export interface JudgedFrame {
  readonly frame: ConfigFrame;
  /** Where a key, such as `permissions.deny.0`, stands in the file when that is somewhere else. */
  readonly at: Places;
}

export function judgeFrame({ frame: written, frameAt = {} }: DialectReading, report: Report): JudgedFrame {
  const judged = FileFrame.safeParse(written);
  const { frame, at } = judged.success
    ? { frame: counting(judged.data), at: frameAt }
    : whatCounts(written, frameAt, judged.error.issues, report);
  for (const { path, wrong } of unreadableRules(frame)) report(placeIn(at, [], path), wrong);
  return { frame, at };
}

/** Tells what is wrong, and keeps what is good, and what the wrong keys took away. */
function whatCounts(written: Frame, frameAt: Places, issues: readonly z.core.$ZodIssue[], report: Report): JudgedFrame {
  const { frame, meantAs: moved } = respelt(written);
  const movedTo = Object.entries(moved).map(([section, key]) => [section, placeIn(frameAt, [], [key])] as const);
  const places = { ...frameAt, ...Object.fromEntries(movedTo) };
  const tell = (issue: z.core.$ZodIssue, whole: Frame): void => {
    for (const { path, ...found } of explainIssue(issue, whole)) report(placeIn(places, [], path), found);
  };
  for (const issue of issues) tell(issue, written);
  const left = FileFrame.safeParse(frame).error?.issues ?? [];
  for (const issue of left) if (Object.hasOwn(moved, String(issue.path[0]))) tell(issue, frame);
  const bad = new Set(left.map(issue => issue.path[0]));
  const rules = bad.has('permissions')
    ? placesOfRules(frame.permissions, placeIn(places, [], ['permissions']))
    : undefined;
  return { frame: withoutBadKeys(frame, bad), at: { ...places, ...rules } };
}

function withoutBadKeys(frame: Frame, bad: ReadonlySet<PropertyKey | undefined>): ConfigFrame {
  const kept = Object.entries(frame).filter(([key]) => Object.hasOwn(FileFrame.shape, key) && !bad.has(key));
  const judged = FileFrame.safeParse(Object.fromEntries(kept));
  return { ...counting(judged.success ? judged.data : {}), ...validSections(frame, bad) };
}

function counting(file: z.infer<typeof FileFrame>): ConfigFrame {
  const { $schema: _schema, version: _version, servers: _servers, ...frame } = file;
  return frame;
}

/** The longest known beginning of a path, and what is left of it. */
export function placeIn(at: Places, base: Path, inside: Path): Path {
  for (let length = inside.length; length > 0; length--) {
    const key = inside.slice(0, length).join('.');
    if (Object.hasOwn(at, key)) return [...(at[key] as Path), ...inside.slice(length)];
  }
  return [...base, ...inside];
}
