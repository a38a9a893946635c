// `npm run supply-chain`: what Junctor is made of, from the lockfile: an SBOM, the list of licences, and the signatures of the
// registry where it answers. Writes to .reports.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lockedPackages, wrongLicences } from './checks/licences.mjs';
import { ROOT, say } from './setup.mjs';

/** CycloneDX 1.6, with the same content for the same lockfile. */
export function sbom(packages = lockedPackages(ROOT)) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const distinct = new Map(packages.map(one => [`${one.name}@${one.version}`, one]));
  // A package that one place installs as a tool and another one uses is used.
  for (const one of packages) if (!one.isTool) distinct.set(`${one.name}@${one.version}`, one);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, licenses: [{ license: { id: license } }] } },
    components: [...distinct.values()].sort((one, other) => (purl(one) < purl(other) ? -1 : 1)).map(component),
  };
}

function component(one) {
  const { name, version, licence, integrity, isTool } = one;
  const [algorithm, digest] = integrity?.split(/-(.*)/s) ?? [];
  return {
    type: 'library',
    'bom-ref': purl(one),
    name,
    version,
    purl: purl(one),
    scope: isTool ? 'excluded' : 'required',
    ...(licence
      ? { licenses: [/^SEE /.test(licence) ? { license: { name: licence } } : { expression: licence }] }
      : {}),
    ...(digest
      ? {
          hashes: [
            {
              alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
              content: Buffer.from(digest, 'base64').toString('hex'),
            },
          ],
        }
      : {}),
  };
}

function purl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function listOfLicences(packages) {
  const counts = new Map();
  for (const { licence = 'none', isTool } of packages) {
    const [used, tools] = counts.get(licence) ?? [0, 0];
    counts.set(licence, isTool ? [used, tools + 1] : [used + 1, tools]);
  }
  const rows = [...counts].sort(([, [one]], [, [other]]) => other - one);
  return rows.map(([licence, [used, tools]]) => `${licence}: ${used} used, ${tools} tools`).join('\n');
}

/** False where a signature is wrong. A registry that does not answer, or signs nothing, is no reason to fail. */
function checkSignatures() {
  const { stdout, stderr, status } = spawnSync('npm', ['audit', 'signatures'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 180_000,
  });
  const said = `${stdout}\n${stderr}`;
  if (status === 0) say(`signatures: ${stdout.trim().split('\n').filter(Boolean).slice(-2).join(' ')}`);
  else if (/invalid (registry )?signature|invalid attestation|tampered/i.test(said)) {
    console.error(said);
    return false;
  } else say('signatures: not checked, the registry did not answer or has none');
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = lockedPackages(ROOT);
  mkdirSync(join(ROOT, '.reports'), { recursive: true });
  writeFileSync(join(ROOT, '.reports', 'sbom.cdx.json'), `${JSON.stringify(sbom(packages), null, 2)}\n`);
  writeFileSync(join(ROOT, '.reports', 'licences.txt'), `${listOfLicences(packages)}\n`);
  say(`SBOM of ${packages.length} packages in .reports/sbom.cdx.json, licences in .reports/licences.txt`);
  const wrong = wrongLicences(ROOT);
  for (const sentence of wrong) console.error(`  ${sentence}`);
  process.exit(checkSignatures() && wrong.length === 0 ? 0 : 1);
}
