// Compiles the functions of a bundle that its usual commands need, by running these commands.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILED, compiledFile, loadBundle, scriptOf, sourceOf } from '../packages/pinned-node/bundle.js';

/** Together they use what most commands use. They run in this order, on a new store. */
const COMMANDS = {
	bursar: [
		'--help',
		'config print',
		'reseller create acme',
		'reseller create --help',
		'reseller list',
		'reseller credit acme 1 --reference one',
		'operator invite --email olga@bursar.example',
		'person list',
		'edge list',
		'ledger verify',
	],
	bursarctl: ['--help', 'balance --help'],
	'bursar-edge': ['--help'],
};

/** The commands take a second. A machine that takes longer goes without compiled code. */
const TIMEOUT_MS = 60_000;

/** The compiled code for the files in the folder of a new bundle, by name. Nothing if a command fails. */
export function compiledCode(folder, program) {
	// In the folder of the bundle, which nobody else uses yet. If this process is killed, later bundles remove the folder.
	const place = mkdtempSync(join(folder, 'compiling-'));
	try {
		const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder, program, place], {
			cwd: place,
			timeout: TIMEOUT_MS,
			killSignal: 'SIGKILL',
			// The commands must not reach the store of a service that is configured here.
			env: {
				...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(BURSAR|NODE)_/.test(name))),
				BURSAR_DATA_DIR: join(place, 'data'),
			},
			// With `ignore`, a command takes its output for closed. With this, it is dropped.
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		if (status !== 0) return {};
		const files = readdirSync(place).filter((file) => file.endsWith(COMPILED));
		return Object.fromEntries(files.map((file) => [file, readFileSync(join(place, file))]));
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
}

/** Runs the commands, and writes the compiled code of each file that they have loaded. */
async function compile(folder, program, place) {
	const scripts = new Map();
	const [run] = Object.values(
		loadBundle(folder, `${program}.cjs`, {
			compile(file) {
				const source = sourceOf(file);
				const script = scriptOf(file, source);
				scripts.set(file, { script, source });
				return script;
			},
		}),
	);
	for (const command of COMMANDS[program]) await run(['node', program, ...command.split(' ')]);
	for (const [file, { script, source }] of scripts) {
		writeFileSync(join(place, `${basename(file)}${COMPILED}`), compiledFile(script.createCachedData(), source));
	}
}

if (import.meta.main) {
	const [folder, program, place] = process.argv.slice(2);
	await compile(folder, program, place);
}
