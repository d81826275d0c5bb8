// Finds out which sources and which files of a bundle each command can load.
import { basename, dirname, join, relative, sep } from 'node:path';
import { dirname as folderOf } from 'node:path/posix';
import { COMPILED } from '../packages/pinned-node/bundle.js';

/** How a source names a neighbour from which it starts a thread. */
export const THREAD = /new URL\('\.\/([a-z-]+)\.ts', import\.meta\.url\)/g;

/** Records what each module and each file of a bundle loads. */
export function loadingGraph(root) {
	/** By the path of a module from the root, and by the name of a file of the bundle. */
	const loads = new Map();
	const pathOf = (id) => relative(root, id).replaceAll(sep, '/');
	const add = (name, others) => loads.set(name, [...(loads.get(name) ?? []), ...others]);

	const plugin = {
		name: 'loading-graph',
		transform(code, id) {
			const threads = Array.from(code.matchAll(THREAD), ([, name]) => join(dirname(id), `${name}.ts`));
			add(pathOf(id), threads.map(pathOf));
			return null;
		},
		generateBundle(_options, output) {
			for (const id of this.getModuleIds()) {
				const { importedIds, dynamicallyImportedIds } = this.getModuleInfo(id);
				add(pathOf(id), [...importedIds, ...dynamicallyImportedIds].map(pathOf));
			}
			for (const { fileName, facadeModuleId, moduleIds, imports } of Object.values(output)) {
				for (const id of [...moduleIds, ...(facadeModuleId ? [facadeModuleId] : [])]) add(pathOf(id), [fileName]);
				add(fileName, imports);
			}
		},
	};

	/** What `name` can load, and what that can load, except what is skipped. */
	function loadedBy(name, isSkipped = () => false) {
		const found = new Set();
		const visit = (other) => {
			if (found.has(other) || isSkipped(other)) return;
			found.add(other);
			loads.get(other)?.forEach(visit);
		};
		visit(name);
		return found;
	}

	/**
	 * Returns a function that names the commands that can load a source or a file of the bundle, or `undefined` for all. A
	 * command is a module in the folder, which the program loads only if the arguments contain its name.
	 */
	function commandsOf(program, folder) {
		const isCommand = (name) => folderOf(name) === folder;
		const always = loadedBy(program, isCommand);
		const commands = [...loads.keys()]
			.filter(isCommand)
			.map((name) => ({ command: basename(name, '.ts'), found: loadedBy(name) }));
		return (name) => {
			const end = Object.values(COMPILED).find((end) => name.endsWith(end)) ?? '';
			const path = name.slice(0, name.length - end.length).replaceAll(sep, '/');
			// A source that is in no file of the bundle has only types, or is read when it is needed. Others are manifests.
			if (always.has(path) || !(loads.has(path) || path.includes('/src/'))) return undefined;
			return commands.filter(({ found }) => found.has(path)).map(({ command }) => command);
		};
	}

	return { plugin, commandsOf };
}
