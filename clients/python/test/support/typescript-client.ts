import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the sources of the TypeScript client declare. They have the form that the formatter gives them. */
const SOURCES = join(import.meta.dirname, '../../../../packages/client/src');
const TEXT = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => readFileSync(join(SOURCES, file), 'utf8'))
	.join('\n');

const INTERFACE = /^(?:export )?interface (\w+)(?:<[^{]*>)?(?: extends ([^{]+))? \{\n([\s\S]*?)^\}/gm;
const FIELD = /^\t(?:readonly )?(\w+)\??[:(]/gm;
const RESOURCE = /^export class (\w+)Resource \{([\s\S]*?)^\}/gm;
const METHOD = /^\t(?:async )?([a-z]\w*)\(([^)]*)\): [A-Z]/gm;
const ERROR = /^export (?:abstract )?class (\w+Error) extends (\w+) \{([\s\S]*?)^\}/gm;
const CLOSED_LIST = /^export type (\w+) =((?:\s*\|?\s*'[\w.]+')+);/gm;

/** The names that the package exports. */
export function exported(): ReadonlySet<string> {
	const index = readFileSync(join(SOURCES, 'index.ts'), 'utf8');
	const lists = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = '']) => list);
	return new Set(lists.flatMap((list) => list.replace(/\btype /g, '').match(/\w+/g) ?? []));
}

/** The fields of each interface, those that it inherits included. */
export function interfaces(): Map<string, readonly string[]> {
	const found = new Map(
		[...TEXT.matchAll(INTERFACE)].map(([, name = '', bases = '', body = '']) => [name, { bases, body }]),
	);
	const fieldsOf = (name: string): readonly string[] => {
		const { bases, body } = found.get(name) ?? { bases: '', body: '' };
		return [...body.matchAll(FIELD)].map(([, field = '']) => field).concat(inherited(bases));
	};
	const inherited = (bases: string): readonly string[] => {
		const picked = /Pick<\w+, ([^>]+)>/.exec(bases);
		if (picked) return [...(picked[1] ?? '').matchAll(/'(\w+)'/g)].map(([, field = '']) => field);
		return [...bases.replace(/<[^>]*>/g, '').matchAll(/\w+/g)].flatMap(([base]) => fieldsOf(base));
	};
	return new Map([...found.keys()].map((name) => [name, fieldsOf(name)]));
}

/** An argument of a method: its name, and the name of its type. */
export interface Argument {
	readonly name: string;
	readonly type: string;
}

/** The arguments of each method of the resources, as `subUsers.give`. */
export function methods(): Map<string, readonly Argument[]> {
	const found = new Map<string, readonly Argument[]>();
	for (const [, resource = '', body = ''] of TEXT.matchAll(RESOURCE)) {
		const prefix = resource.charAt(0).toLowerCase() + resource.slice(1);
		for (const [, name = '', args = ''] of body.matchAll(METHOD)) {
			if (name === 'constructor') continue;
			found.set(
				`${prefix}.${name}`,
				[...args.matchAll(/(\w+)\??: (?:readonly )?(?:Partial<)?(\w+)/g)].map(([, name = '', type = '']) => ({
					name,
					type,
				})),
			);
		}
	}
	return found;
}

/** The base class and the own fields of each class of errors. */
export function errors(): Map<string, { readonly base: string; readonly fields: readonly string[] }> {
	return new Map(
		[...TEXT.matchAll(ERROR)].map(([, name = '', base = '', body = '']) => [
			name,
			{ base, fields: [...body.matchAll(/^\treadonly (\w+)/gm)].map(([, field = '']) => field) },
		]),
	);
}

/** The texts of each closed list. */
export function closedLists(): Map<string, readonly string[]> {
	return new Map(
		[...TEXT.matchAll(CLOSED_LIST)].map(([, name = '', list = '']) => [
			name,
			[...list.matchAll(/'([\w.]+)'/g)].map(([, text = '']) => text),
		]),
	);
}

/** The fields of the data of each type of event. */
export function eventData(): Map<string, readonly string[]> {
	const body = /interface EventData \{\n([\s\S]*?)^\}/m.exec(TEXT)?.[1] ?? '';
	const types = body.matchAll(/^\treadonly '([\w.]+)': (Nothing|\{[^}]*\});$/gm);
	return new Map([...types].map(([, type = '', data = '']) => [type, readonlyNames(data)]));
}

/** The fields of all kinds of events of a call. */
export function clientEvent(): readonly string[] {
	const body = /^export type ClientEvent =([\s\S]*?);\n\n/m.exec(TEXT)?.[1] ?? '';
	return [...new Set(readonlyNames(body))];
}

function readonlyNames(text: string): readonly string[] {
	return [...text.matchAll(/readonly (\w+)/g)].map(([, name = '']) => name);
}
