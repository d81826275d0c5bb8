import { relative, resolve } from 'node:path';

const SHOWN = 10;

/** A reporter of Node's test runner. It says at the end which files took longest, and how to run one file. */
export default async function* slowestFiles(events) {
	const files = [];
	for await (const { type, data } of events) {
		// A file that has a process of its own ends like a test with its path as a name.
		if (type !== 'test:complete' || data.nesting > 0 || resolve(data.name) !== data.file) continue;
		files.push({ path: relative(process.cwd(), data.file), seconds: data.details.duration_ms / 1_000 });
	}
	if (files.length < 2) return;
	yield '\nThe slowest files, in seconds:\n';
	const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
	for (const { path, seconds } of slowest) {
		yield `${seconds.toFixed(1).padStart(7)}  ${path}\n`;
	}
	yield `One file alone: npm test -- ${slowest[0].path}\n`;
}
