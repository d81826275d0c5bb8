// Makes files from sources, once for each state of the sources. Runs on the pinned Node.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fingerprintOf } from '../packages/pinned-node/bundle.js';

/** The coarsest time of a file system. A file that changes again after this long has another time. */
const COARSEST_TIME_MS = 2_000;
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
		const added = complete(folder);
		writeAll(added);
		const parts = partsOf({ ...contents, ...added }, isCertain ? before : undefined, commandsOf);
		const stamp = { folder: id, ...parts };
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

/** By path. */
function fingerprints(root, files) {
	return Object.fromEntries(files.sort().map((file) => [relative(root, file), fingerprintOf(file)]));
}

/** The sizes of the contents and the fingerprints of their sources. What only some commands load is in `parts`. */
function partsOf(contents, sources, commandsOf) {
	const always = { files: {}, sources: sources && {} };
	const parts = new Map();
	const partWith = (name) => {
		const commands = commandsOf(name);
		if (commands === undefined) return always;
		const key = commands.join();
		if (!parts.has(key)) parts.set(key, { commands, files: {}, sources: {} });
		return parts.get(key);
	};
	for (const [file, content] of Object.entries(contents)) partWith(file).files[file] = Buffer.byteLength(content);
	for (const [file, fingerprint] of Object.entries(sources ?? {})) partWith(file).sources[file] = fingerprint;
	return { ...always, parts: [...parts.values()] };
}

/** Waits until a later change is certain to have another time than the changes so far. */
async function settle(files) {
	// Whole milliseconds, as our clock counts them. Otherwise a file of this millisecond would seem to be of the future.
	const newestMs = Math.ceil(Math.max(...Object.values(files).map(([changedMs]) => changedMs)));
	const waitMs = newestMs + COARSEST_TIME_MS - Date.now();
	if (waitMs > COARSEST_TIME_MS + 1) return false;
	if (waitMs > 0) await setTimeout(waitMs);
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
