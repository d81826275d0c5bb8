process.stderr.write('The release is not written yet.\n');
process.exitCode = 1;
