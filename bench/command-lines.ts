// Compares the time of each command line with an empty program that starts in the same way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, print } from './report.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const PACKAGES = join(import.meta.dirname, '../packages');
const BURSAR = join(PACKAGES, 'server/bin/bursar.js');
const BURSARCTL = join(PACKAGES, 'cli/bin/bursarctl.js');
/** The Node that started npm. If it is too old for TypeScript, it starts the pinned Node. */
const SYSTEM_NODE = process.env.npm_node_execpath;

/** In the names of what a command creates: each run creates another one. */
const NUMBER = '<number>';

const COMMANDS: readonly (readonly [program: string, ...args: string[]])[] = [
	[BURSAR, '--help'],
	[BURSAR, 'reseller', 'create', '--help'],
	[BURSAR, 'config', 'print'],
	[BURSAR, 'person', 'list'],
	[BURSAR, 'reseller', 'list'],
	[BURSAR, 'reseller', 'credit', 'acme', '1', '--reference', 'bench'],
	[BURSAR, 'ledger', 'verify'],
	[BURSAR, 'operator', 'invite', '--email', 'bench@example.com'],
	[BURSAR, 'reseller', 'create', `bench${NUMBER}`],
	[BURSAR, 'edge', 'create', `bench${NUMBER}`],
	[BURSARCTL, '--help'],
];

/** How many commands have run. */
let runs = 0;

/** Opened for writing only. `ignore` also opens it for reading, which a command takes for a closed output. */
const NOWHERE = openSync(devNull, 'w');

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
const env = { PATH: process.env.PATH, HOME: process.env.HOME, BURSAR_DATA_DIR: join(folder, 'data') };
try {
	const empty = join(folder, 'empty.js');
	writeFileSync(
		empty,
		`#!/usr/bin/env node
		import { runHereOrOnPinnedNode } from ${JSON.stringify(join(PACKAGES, 'pinned-node/index.js'))};
		await runHereOrOnPinnedNode('empty', () => {});`,
	);
	await timeOf([process.execPath, BURSAR, 'reseller', 'create', 'acme']);

	await compare('the pinned Node', [process.execPath, '--eval', ''], ([program, ...args]) => [
		process.execPath,
		program,
		...args,
	]);
	if (SYSTEM_NODE) {
		await compare(
			"the system's Node, which starts the pinned Node if it is older",
			[SYSTEM_NODE, empty],
			([program, ...args]) => [SYSTEM_NODE, program, ...args],
		);
	}
	const bin = join(folder, 'node_modules/.bin');
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
	chmodSync(empty, 0o755);
	for (const [name, file] of Object.entries({ empty, bursar: BURSAR, bursarctl: BURSARCTL })) {
		symlinkSync(file, join(bin, name));
	}
	await compare('`npx`', ['npx', 'empty'], ([program, ...args]) => [
		'npx',
		program === BURSAR ? 'bursar' : 'bursarctl',
		...args,
	]);
} finally {
	rmSync(folder, { recursive: true });
}

async function compare(
	by: string,
	reference: readonly string[],
	lineOf: (command: (typeof COMMANDS)[number]) => readonly string[],
): Promise<void> {
	const lines = [reference, ...COMMANDS.map(lineOf)];
	const times: number[][] = lines.map(() => []);
	// The first round fills the compile cache of Node. The commands take turns, so that noise affects all of them.
	for (let round = -1; round < ROUNDS; round++) {
		for (const [place, line] of lines.entries()) {
			const tookMs = await timeOf(line);
			if (round >= 0) times[place]?.push(tookMs);
		}
	}
	const [emptyMs, ...tookMs] = times.map(median) as [number, ...number[]];
	print(`Started by ${by}, median of ${ROUNDS}:\n`);
	print('| command | milliseconds | to an empty program |');
	print('|---|---:|---:|');
	print(`| an empty program | ${emptyMs.toFixed(0)} | |`);
	for (const [place, [program, ...args]] of COMMANDS.entries()) {
		const name = program === BURSAR ? 'bursar' : 'bursarctl';
		const ms = tookMs[place] as number;
		print(`| \`${name} ${args.join(' ')}\` | ${ms.toFixed(0)} | ${(ms / emptyMs).toFixed(2)} |`);
	}
	print('');
}

async function timeOf([program, ...givenArgs]: readonly string[]): Promise<number> {
	const args = givenArgs.map((arg) => arg.replace(NUMBER, String(runs)));
	runs++;
	const startMs = performance.now();
	const child = spawn(program as string, args, { cwd: folder, env, stdio: ['ignore', NOWHERE, NOWHERE] });
	const [code] = await once(child, 'exit');
	if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
	return performance.now() - startMs;
}
