/** What the config files limit, and for how long things are kept: changed here, written there, with a way back. */
import { useSettings } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Failure, Loading, Notice } from '../../parts/notice.tsx';
import { Section } from '../../parts/section.tsx';
import { SettingField } from './setting-field.tsx';
import { nameOf, type SettingsRead, useSettingsEdit } from './use-settings-edit.ts';

const TITLES: Readonly<Record<string, string>> = {
  results: 'Results, and how long they are kept',
  defaults: 'Patience with servers that do not say otherwise',
  search: 'When tools are searched instead of listed',
  catalogue: 'How long lists of tools count',
  health: 'How servers are watched',
  startup: 'How servers begin',
};

export function Limits() {
  const { data, error } = useSettings();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return <Editor read={data} />;
}

function Editor({ read }: { read: SettingsRead }) {
  const edit = useSettingsEdit(read);
  const sections = Map.groupBy(read.body.settings, ({ section }) => section);
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        edit.save();
      }}
    >
      <p className="mb-4 text-sm text-quiet">
        Changes are written into <Foreign text={read.body.file} />. An empty field means the default.
      </p>
      {[...sections].map(([section, settings]) => (
        <Section key={section} title={TITLES[section] ?? section}>
          <ul className="rounded-lg border border-line bg-card">
            {settings.map(setting => (
              <li key={setting.key} className="border-b border-line p-3 last:border-0">
                <SettingField
                  setting={setting}
                  text={edit.textOf(setting)}
                  problem={edit.problemOf(setting)}
                  onWrite={text => edit.write(setting, text)}
                />
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {edit.theirs.length > 0 && (
        <div role="alert" className="mb-3">
          <Notice
            title="Somebody else changed settings since you began; nothing of yours was written."
            why={`Now: ${edit.theirs.map(one => `${nameOf(one)} is ${one.value ?? 'not set'}`).join('; ')}.`}
            next={
              <span className="flex flex-wrap gap-2">
                <Button onClick={edit.drop}>Show theirs, drop mine</Button>
                <Button onClick={edit.keep}>Keep mine, to be saved over theirs</Button>
              </span>
            }
          />
        </div>
      )}
      <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-page py-3">
        <Button type="submit" className="font-medium" disabled={!edit.maySave}>
          Save
        </Button>
        {edit.isChanged && <Button onClick={edit.drop}>Drop my changes</Button>}
        {edit.undo && <Button onClick={edit.undo}>Undo what was saved</Button>}
        <span role="status" className="text-sm text-quiet">
          {edit.isChanged ? 'Not saved yet' : edit.told}
        </span>
      </div>
      {edit.error && <Failure error={edit.error} />}
    </form>
  );
}
