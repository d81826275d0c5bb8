import { conformance } from './command-line.ts';

process.exitCode = await conformance(process.argv);
