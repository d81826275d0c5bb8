// Makes files from sources, once for each state of the sources. Runs on the pinned Node.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fingerprintOf } from '../packages/pinned-node/bundle.js';

/** Some file systems keep whole seconds, or even ones. A file that changes again after this long has another time. */
const COARSE_TIME_MS = 2_000;
/** Other file systems keep fractions of a second, as exact as the clock of the system: it ticks at least this often. */
const FINE_TIME_MS = 100;
/** Old folders are kept, because running processes still load parts of the folder that they started with. */
const KEPT_FOLDERS = 8;

/**
 * Makes a new folder in `home`, and then the stamp that names it (`stampedFolder`). `sources` lists the files from which
 * `make` makes the contents: the text or the bytes of each file, by name. It may also return `complete`, which makes
 * more contents from the written ones, and `commandsOf`, which says which commands load a source or a file of the
 * contents. If it is not certain that the contents belong to the present sources, nothing is written, or with
 * `isAlwaysWritten` a stamp that counts as out of date.
 */
export async function makeStampedFolder({ root, home, sources, make, isAlwaysWritten = false }) {
	const before = fingerprints(root, sources());
	const haveSettled = await settle(before);
	if (!haveSettled && !isAlwaysWritten) return;
	const { contents, complete = () => ({}), commandsOf = () => undefined } = await make();
	// If the sources changed meanwhile, the contents may mix old and new ones.
	const isCertain = haveSettled && JSON.stringify(fingerprints(root, sources())) === JSON.stringify(before);
	if (!isCertain && !isAlwaysWritten) return;

	const id = randomUUID();
	const folder = join(home, id);
	try {
		const writeAll = (files) => {
			for (const [file, content] of Object.entries(files)) write(join(folder, file), content);
		};
		writeAll(contents);
		const added = await complete(folder);
		writeAll(added);
		const stamp = {
			folder: id,
			groups: groupsOf({ ...contents, ...added }, isCertain ? before : undefined, commandsOf),
		};
		// The folder is used only with its stamp, so the stamp comes last, and appears complete.
		write(join(folder, 'stamp.json'), JSON.stringify(stamp));
		renameSync(join(folder, 'stamp.json'), join(home, 'stamp.json'));
	} catch (cause) {
		rmSync(folder, { recursive: true, force: true });
		throw cause;
	}
	removeOld(home, id);
}

/** The sources of a package, and its manifest. */
export function sourcesOf(root, name) {
	const folder = join(root, 'packages', name);
	const sources = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true }).filter((file) =>
		file.isFile(),
	);
	return [join(folder, 'package.json'), ...sources.map((file) => join(file.parentPath, file.name))];
}

function write(file, content) {
	mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
	writeFileSync(file, content, { flush: true, mode: 0o644 });
}

function fingerprints(root, files) {
	return files.sort().map((path) => ({ file: relative(root, path), ...fingerprintOf(path) }));
}

/** The sizes of the contents and the fingerprints of their sources, apart for what only some commands load. */
function groupsOf(contents, sources, commandsOf) {
	const always = { files: [], sources: sources && [] };
	const groups = new Map([[undefined, always]]);
	const groupWith = (name) => {
		const commands = commandsOf(name);
		const key = commands?.join();
		if (!groups.has(key)) groups.set(key, { commands, files: [], sources: [] });
		return groups.get(key);
	};
	for (const [file, content] of Object.entries(contents)) {
		groupWith(file).files.push({ file, size: Buffer.byteLength(content) });
	}
	for (const source of sources ?? []) groupWith(source.file).sources.push(source);
	return [...groups.values()];
}

/** Waits until a later change is certain to have another time than the changes so far. */
async function settle(files) {
	const nowMs = Date.now();
	// Whole milliseconds, as our clock counts them. Otherwise a file of this millisecond would seem to be of the future.
	if (files.some(({ ctimeMs }) => Math.ceil(ctimeMs) > nowMs + 1)) return false;
	const settledMs = Math.max(
		...files.map(({ ctimeMs }) => Math.ceil(ctimeMs) + (ctimeMs % 1000 === 0 ? COARSE_TIME_MS : FINE_TIME_MS)),
	);
	if (settledMs > nowMs) await setTimeout(settledMs - nowMs);
	return true;
}

function removeOld(home, newest) {
	readdirSync(home, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && entry.name !== newest)
		.map(({ name }) => ({ folder: join(home, name), madeMs: statSync(join(home, name)).mtimeMs }))
		.sort((one, other) => other.madeMs - one.madeMs)
		.slice(KEPT_FOLDERS - 1)
		.forEach(({ folder }) => {
			rmSync(folder, { recursive: true, force: true });
		});
}
