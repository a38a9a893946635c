// Third-party notices: which packages a bundle holds, by the modules that really went into it, and their licence texts.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** Writes the notices of all packages that these modules belong to. */
export function writeNotices(folder, modules) {
  const packages = [...new Set(modules.flatMap(packageOf))].map(describe);
  const distinct = new Map(packages.map(one => [`${one.name} ${one.version}`, one]));
  const all = [...distinct.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const head = 'This folder holds code of the following packages, under the licences below.\n';
  const list = all.map(({ name, version, licence }) => `- ${name} ${version}, ${licence}`).join('\n');
  const texts = all.map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`);
  const line = `\n${'-'.repeat(80)}\n\n`;
  writeFileSync(join(folder, NOTICES), [`${head}\n${list}\n`, ...texts].join(line));
}

/** The folder of the package that a module belongs to; none for our own sources and for virtual modules. */
function packageOf(module) {
  const path = module.replace(/^\0/, '').replaceAll('\\', '/').replace(/\?.*$/, '');
  const at = path.lastIndexOf('/node_modules/');
  if (at < 0) return [];
  const [first, second] = path.slice(at + '/node_modules/'.length).split('/');
  const folder = `${path.slice(0, at)}/node_modules/${first.startsWith('@') ? `${first}/${second}` : first}`;
  return existsSync(join(folder, 'package.json')) ? [folder] : [];
}

function describe(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find(one => /^(licen[cs]e|copying)(\.|-|$)/i.test(one));
  const notice = readdirSync(folder).find(one => /^notice(\.|$)/i.test(one));
  const texts = [file, notice].filter(Boolean).map(one => readFileSync(join(folder, one), 'utf8').trim());
  const by = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  const without = `Copyright ${by}. It came without a text of its own${license === 'Apache-2.0' ? ': see LICENSE of this package' : ''}.`;
  const text = texts.length > 0 ? texts.join('\n\n') : without;
  return { name, version, licence: String(license ?? 'unknown'), text };
}
