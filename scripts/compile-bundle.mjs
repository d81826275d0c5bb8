// Compiles the functions of a bundle that its usual commands and its service need, by running these.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILED, compiledFile, loadBundle, scriptOf, sourceOf } from '../packages/pinned-node/bundle.js';

/**
 * What a process runs, in this order, on a new store. Together, the short commands use what most commands use. A service
 * has a process of its own, because it sets a flag of V8, and V8 takes compiled code only under the flags of its making.
 */
const RUNS = {
	bursar: {
		[COMPILED.commands]: [
			// Makes the store, and uses other cryptography for it than the next one.
			'reseller create acme',
			'reseller create bolt',
			'reseller list',
			'reseller credit acme 1 --reference one',
			'operator invite --email olga@bursar.example',
			'person list',
			'edge create frankfurt',
			'ledger verify',
			// Their files are loaded before they set the flag.
			'serve --help',
			'dev --help',
		],
		[COMPILED.service]: ['serve'],
	},
	bursarctl: { [COMPILED.commands]: ['--help', 'balance --help'] },
	'bursar-edge': { [COMPILED.commands]: ['--help'] },
};

/** Each run takes a second or two. A machine that takes longer goes without compiled code. */
const TIMEOUT_MS = 60_000;

/** What a service logs when it answers requests. */
const READY = '"msg":"ready"';

/** The compiled code for the files in the folder of a new bundle, by name. Nothing of a run that fails. */
export async function compiledCode(folder, program) {
	const made = await Promise.all(Object.keys(RUNS[program]).map((kind) => compiledBy(folder, program, kind)));
	return Object.assign({}, ...made);
}

async function compiledBy(folder, program, kind) {
	// In the folder of the bundle, which nobody else uses yet. If this process is killed, later bundles remove the folder.
	const place = mkdtempSync(join(folder, 'compiling-'));
	try {
		if (!(await succeeds([fileURLToPath(import.meta.url), folder, program, kind, place], place))) return {};
		const files = readdirSync(place).filter((file) => file.endsWith(kind));
		return Object.fromEntries(files.map((file) => [file, readFileSync(join(place, file))]));
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
}

/** Runs Node in a folder until it ends. Ends a service as soon as it is ready. */
function succeeds(args, cwd) {
	const child = spawn(process.execPath, args, {
		cwd,
		timeout: TIMEOUT_MS,
		killSignal: 'SIGKILL',
		// The commands must not reach the store of a service that is configured here.
		env: {
			...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(BURSAR|NODE)_/.test(name))),
			BURSAR_DATA_DIR: join(cwd, 'data'),
			BURSAR_HOST: '127.0.0.1',
			BURSAR_PORT: '0',
			BURSAR_OPS_PORT: '0',
		},
		// With `ignore`, a command takes its output for closed. With this, it is dropped.
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text) => {
		const isReady = output.includes(READY);
		output += text;
		if (!isReady && output.includes(READY)) child.kill('SIGTERM');
	});
	child.stderr.resume();
	return new Promise((resolve) => {
		child.once('error', () => resolve(false)).once('close', (code) => resolve(code === 0));
	});
}

/** Runs the commands of one kind. Before the process ends, writes the compiled code of each file that they have loaded. */
async function compile(folder, program, kind, place) {
	// A service would run on if the process that waits for it were killed.
	setTimeout(() => process.exit(1), TIMEOUT_MS).unref();
	const scripts = new Map();
	process.once('exit', () => {
		for (const [file, { script, source }] of scripts) {
			writeFileSync(join(place, `${basename(file)}${kind}`), compiledFile(script.createCachedData(), source));
		}
	});
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
	for (const command of RUNS[program][kind]) await run(['node', program, ...command.split(' ')]);
}

if (import.meta.main) {
	const [folder, program, kind, place] = process.argv.slice(2);
	await compile(folder, program, kind, place);
}
