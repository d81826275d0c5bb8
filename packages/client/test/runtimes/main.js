// For runtimes with a command line: Node, Deno, Bun.
import { walk } from './walk.js';

process.stdout.write(`${await walk(process.env)}\n`);
