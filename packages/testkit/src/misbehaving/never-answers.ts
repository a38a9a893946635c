/** Reads everything and answers nothing. */
process.stderr.write('waiting for a licence server\n');
process.stdin.resume();
