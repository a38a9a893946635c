/** What somebody changes among the settings, of which version, and the way back after it was saved. */
import type { Setting } from '@junctor/hub/answers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change, HubError, type Tagged } from '../../api/client.ts';

export type SettingsRead = Tagged<{ readonly file: string; readonly settings: readonly Setting[] }>;

type Values = Readonly<Record<string, Setting['value']>>;

export const nameOf = ({ section, key }: Pick<Setting, 'section' | 'key'>): string => `${section}.${key}`;

export function useSettingsEdit(read: SettingsRead) {
  const queries = useQueryClient();
  /** What was written, and the values that were there when the first word was. */
  const [edit, setEdit] = useState<{ readonly texts: Readonly<Record<string, string>>; readonly of: Values }>();
  const [before, setBefore] = useState<Values>();
  const now = valuesOf(read);
  const texts = Object.entries(edit?.texts ?? {}).filter(([name, text]) => text !== textFor(now[name] ?? null));
  const meant: Values = Object.fromEntries(texts.map(([name, text]) => [name, valueIn(read, name, text)]));
  const store = useMutation({
    mutationFn: (values: Values) =>
      change('/api/config/settings', { method: 'PATCH', body: bySection(values), ifMatch: read.tag }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['settings'] }),
  });
  const save = (): void => {
    const undo = Object.fromEntries(Object.keys(meant).map(name => [name, now[name] ?? null]));
    store.mutate(meant, {
      onSuccess: () => {
        setEdit(undefined);
        setBefore(undo);
      },
    });
  };
  const theirs = read.body.settings.filter(one => edit && (edit.of[nameOf(one)] ?? null) !== one.value);
  const isLate = store.error instanceof HubError && store.error.isOutdated;
  const problems = store.error instanceof HubError ? store.error.problems : [];
  const isChanged = texts.length > 0;
  return {
    isChanged,
    theirs: store.isPending ? [] : theirs,
    maySave: isChanged && theirs.length === 0 && !store.isPending,
    error: isLate || problems.length > 0 ? undefined : store.error,
    told: store.isSuccess ? 'Saved' : '',
    textOf: (setting: Setting) => edit?.texts[nameOf(setting)] ?? textFor(setting.value),
    problemOf: (setting: Setting) => problems.find(({ path }) => path === nameOf(setting))?.message,
    write: (setting: Setting, text: string) =>
      setEdit({ texts: { ...edit?.texts, [nameOf(setting)]: text }, of: edit?.of ?? now }),
    drop: () => setEdit(undefined),
    keep: () => edit && setEdit({ ...edit, of: now }),
    save,
    undo: before && !isChanged ? () => store.mutate(before, { onSuccess: () => setBefore(undefined) }) : undefined,
  };
}

function valuesOf({ body }: SettingsRead): Values {
  return Object.fromEntries(body.settings.map(setting => [nameOf(setting), setting.value]));
}

function textFor(value: Setting['value']): string {
  return value === null ? '' : String(value);
}

/** What is no number is sent as it is: the hub says what is wrong with it. */
function valueIn({ body }: SettingsRead, name: string, text: string): Setting['value'] {
  const kind = body.settings.find(setting => nameOf(setting) === name)?.kind;
  const word = text.trim();
  if (word === '') return null;
  if (kind === 'switch') return word === 'true';
  return kind === 'number' && Number.isFinite(Number(word)) ? Number(word) : word;
}

function bySection(values: Values): Record<string, Record<string, unknown>> {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(values)) {
    const [section = '', key = ''] = name.split('.');
    sections[section] = { ...sections[section], [key]: value };
  }
  return sections;
}
