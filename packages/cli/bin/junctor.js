#!/usr/bin/env node
// Plain JavaScript that an old Node can still read: it checks the version before it loads anything newer.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `error: Junctor needs Node.js 24 or newer; this is ${process.version}. (node_too_old)\n` +
      '  try: install Node.js 24 from https://nodejs.org, or inside a clone of Junctor run: npx junctor\n',
  );
  process.exit(1);
}

const { enableCompileCache } = await import('node:module');
enableCompileCache?.();
let main;
try {
  ({ main } = await import('../bundle/main.js'));
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.url ?? error.message).includes('bundle/main.js'))
    throw error;
  process.stderr.write('error: Junctor is not built yet. (not_built)\n  try: npm run build\n');
  process.exit(1);
}
await main(process.argv.slice(2));
