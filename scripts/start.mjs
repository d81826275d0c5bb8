import { runNode, setUp } from './setup.mjs';

setUp();
process.exitCode = await runNode(['packages/server/bin/bursar.js', 'dev']);
