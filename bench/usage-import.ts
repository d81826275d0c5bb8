// Compares `bursar usage import`, as a real process, with a bare loop that inserts the same rows under the same
// unique index.
//
//   node bench/usage-import.ts [--reports 1000000] [--sub-users 10000] [--order time|random]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { seedReseller, subUserName } from './seed.ts';

const BURSAR = join(import.meta.dirname, '../packages/server/bin/bursar.js');
const RESELLER = 'bench';
const BATCH_SIZE = 5000;
const DAYS = 90;
const DAY_MS = 86_400_000;

const { values } = parseArgs({
	options: {
		reports: { type: 'string', default: '1000000' },
		'sub-users': { type: 'string', default: '10000' },
		/** Hosts report in order of time. `random` is the worst case. */
		order: { type: 'string', default: 'time' },
	},
});
const reports = Number(values.reports);
const subUsers = Number(values['sub-users']);

const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-'));
try {
	await bench();
} finally {
	rmSync(folder, { recursive: true, force: true });
}

async function bench(): Promise<void> {
	const file = join(folder, 'reports.ndjson');
	const dataDir = join(folder, 'data');
	writeReports(file);
	await seedReseller({ BURSAR_DATA_DIR: dataDir }, RESELLER, subUsers);
	const bare = bareInserts();
	const first = await importReports(dataDir, file);
	const again = await importReports(dataDir, file);
	const row = (name: string, { seconds, peakMebibytes }: Run) => ({
		run: name,
		'reports/s': Math.round(reports / seconds),
		'of bare': (bare.seconds / seconds).toFixed(2),
		'peak MiB': peakMebibytes ?? '',
	});
	const text = [
		row('bare better-sqlite3 inserts', bare),
		row('usage import, all new', first),
		row('usage import, all repeats', again),
	]
		.map((line) =>
			Object.values(line)
				.map((cell) => String(cell).padEnd(30))
				.join(''),
		)
		.join('\n');
	process.stdout.write(`${reports} reports, ${subUsers} sub-users, ${DAYS} days, in order of ${values.order}\n`);
	process.stdout.write(`${'run'.padEnd(30)}${'reports/s'.padEnd(30)}${'of bare'.padEnd(30)}peak MiB\n${text}\n`);
}

interface Run {
	readonly seconds: number;
	readonly peakMebibytes?: number;
}

/** The same reports in every run. */
function* rows() {
	const random = generator(7);
	const until = Math.floor(Date.now() / DAY_MS) * DAY_MS;
	for (let number = 0; number < reports; number++) {
		const place = values.order === 'random' ? random() : number / reports;
		yield {
			source: `proxy-${Math.floor(random() * 20)}`,
			id: Math.floor(random() * 2 ** 52).toString(36) + number.toString(36),
			username: subUserName(RESELLER, Math.floor(random() * subUsers)),
			timestamp: new Date(until - Math.ceil((1 - place) * (DAYS - 1) * DAY_MS)).toISOString(),
			up: Math.floor(random() * 1e8),
			down: Math.floor(random() * 1e9),
		};
	}
}

function writeReports(file: string): void {
	const descriptor = openSync(file, 'w');
	let text = '';
	for (const report of rows()) {
		text += `${JSON.stringify(report)}\n`;
		if (text.length > 1 << 20) {
			writeSync(descriptor, text);
			text = '';
		}
	}
	writeSync(descriptor, text);
	closeSync(descriptor);
}

/** The engine without any rule: one insert for each row, one transaction for each batch. */
function bareInserts(): Run {
	const database = new Database(join(folder, 'bare.db'));
	database.pragma('journal_mode = WAL');
	database.pragma('synchronous = FULL');
	database.pragma('cache_size = -65536');
	database.exec(
		'CREATE TABLE reports (number INTEGER PRIMARY KEY, source TEXT, id TEXT, username TEXT, at INTEGER, up INTEGER, down INTEGER, UNIQUE (source, id)) STRICT',
	);
	const insert = database.prepare('INSERT INTO reports (source, id, username, at, up, down) VALUES (?, ?, ?, ?, ?, ?)');
	const all = [...rows()];
	const startedAt = performance.now();
	for (let start = 0; start < all.length; start += BATCH_SIZE) {
		database.exec('BEGIN IMMEDIATE');
		for (const { source, id, username, timestamp, up, down } of all.slice(start, start + BATCH_SIZE)) {
			insert.run(source, id, username, Date.parse(timestamp), up, down);
		}
		database.exec('COMMIT');
	}
	const seconds = (performance.now() - startedAt) / 1000;
	database.close();
	return { seconds };
}

/** Runs the command line as an operator does. The time includes the start of the process. */
async function importReports(dataDir: string, file: string): Promise<Run> {
	const startedAt = performance.now();
	const child = spawn(process.execPath, [BURSAR, 'usage', 'import', '--json', file], {
		env: { PATH: process.env.PATH, BURSAR_DATA_DIR: dataDir },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let output = '';
	child.stdout.on('data', (chunk) => {
		output += chunk;
	});
	let peakMebibytes = 0;
	const watch = setInterval(() => {
		peakMebibytes = Math.max(peakMebibytes, residentMebibytes(child.pid));
	}, 100);
	const [exitCode] = await once(child, 'close');
	clearInterval(watch);
	const seconds = (performance.now() - startedAt) / 1000;
	const { counted, repeated } = JSON.parse(output) as { counted: number; repeated: number };
	if (exitCode !== 0 || counted + repeated !== reports) throw new Error(`the import failed: ${output}`);
	return { seconds, peakMebibytes };
}

function residentMebibytes(pid: number | undefined): number {
	try {
		const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
		return Math.round((Number(pages) * 4) / 1024);
	} catch {
		// Not every system has /proc, and the process may have ended.
		return 0;
	}
}

/** Mulberry32: small, with the same numbers on every machine. */
function generator(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
