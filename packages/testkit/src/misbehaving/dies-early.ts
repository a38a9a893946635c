/** Says why on stderr and ends before it answers anything. */
process.stderr.write('loading plugins\nfatal: DATABASE_URL is not set\n', () => process.exit(3));
