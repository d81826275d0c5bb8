import { EventModels } from './event-models.ts';
import { ModelClasses, same } from './model-classes.ts';
import { LIKE, LISTS, MODELS, type ModelOf, OPERATIONS, READ_BY_HAND } from './model-table.ts';
import { bracketed, docstring, literal, snakeCase } from './python.ts';
import { type ApiDocument, nameOf, Schemas } from './schemas.ts';

/** The module with the models of answers and events, and the functions that read them. */
export function modelsModule(document: ApiDocument): string {
	const schemas = new Schemas(document);
	const classes = new ModelClasses(schemas);
	assertAnswersRead(document, schemas);
	const parts = [
		...Object.keys(LISTS).map((name) => listOf(name, classes)),
		changeOperations(schemas),
		...Object.entries(MODELS).map(([name, model]) => modelOf(name, model, schemas, classes)),
		...new EventModels(schemas, classes).written(),
	];
	const body = parts.join('\n\n');
	const names = Array.from(body.matchAll(/^(?:class )?([A-Z]\w*)(?=[:(])/gm), ([, name]) => literal(name));
	return `${imports(body)}
${bracketed('__all__ = ', '[', names.toSorted(), ']')}

${body}`;
}

/** Fails if the data of an answer has a schema that no model reads. */
function assertAnswersRead(document: ApiDocument, schemas: Schemas): void {
	const read = [...Object.values(MODELS).map(({ schema }) => schema), ...Object.keys(LIKE), ...READ_BY_HAND];
	for (const { operationId, responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
		for (const { schema } of Object.values(responses['200']?.content ?? {})) {
			const name = nameOf(schemas.field(schema, 'data', operationId));
			if (!read.includes(String(name))) throw new Error(`${operationId}: no model reads the schema ${name}.`);
		}
	}
	for (const [name, like] of Object.entries(LIKE)) {
		const model = schemas.at((MODELS[like] as ModelOf).schema);
		if (!same(Object.keys(schemas.named(name).properties ?? {}), Object.keys(model.properties ?? {})))
			throw new Error(`The schema ${name} is not like that of ${like}.`);
	}
}

/** A list of texts, and what checks it if it is closed. */
function listOf(name: string, classes: ModelClasses): string {
	const list = alias(name, classes.listed(name), LISTS[name]?.text ?? '');
	if (!LISTS[name]?.isClosed) return list;
	return `${list}\n_${snakeCase(name)}: Callable[[object], ${name}] = one_of(get_args(${name}))\n`;
}

function changeOperations(schemas: Schemas): string {
	const kinds = schemas.at('RecordedChange.kind').enum ?? [];
	if (!same(kinds, Object.keys(OPERATIONS)))
		throw new Error(`The kinds of changes are not those of the document: ${kinds.join(', ')}.`);
	const entries = Object.entries(OPERATIONS).map(([kind, name]) => `    ${literal(kind)}: ${literal(name)},\n`);
	return `${alias('ChangeOperation', Object.values(OPERATIONS), 'What a change does.')}
_OPERATIONS: Final[Mapping[str, ChangeOperation]] = {
${entries.join('')}}

_error_code: Callable[[object], ErrorCode] = one_of(get_args(ErrorCode))
`;
}

function modelOf(name: string, model: ModelOf, schemas: Schemas, classes: ModelClasses): string {
	const schema = schemas.at(model.schema);
	classes.assertAllRead(schema, model.fields, [], model.schema);
	const inherited = model.base === undefined ? {} : (MODELS[model.base] as ModelOf).fields;
	const own = Object.entries(model.fields).filter(([field]) => !(field in inherited));
	const text = model.text ?? schema.description;
	if (text === undefined) throw new Error(`${name} has no description.`);
	return `${classes.class(name, model.base, text, schema, Object.fromEntries(own))}

${classes.reader(`read_${snakeCase(name)}`, name, schema, model.fields)}`;
}

function alias(name: string, values: readonly unknown[], text: string): string {
	return `${bracketed(`${name}: TypeAlias = Literal`, '[', values.map(literal), ']')}\n${docstring(text, '')}\n`;
}

const IMPORTED: Readonly<Record<string, readonly string[]>> = {
	'collections.abc': ['Callable', 'Mapping'],
	dataclasses: ['dataclass', 'field'],
	datetime: ['date', 'datetime'],
	typing: ['Final', 'Literal', 'TypeAlias', 'Union', 'cast', 'get_args'],
	'._api': ['ErrorCode'],
	'._read': [
		...['any_text', 'boolean', 'count', 'day', 'each', 'fields_of', 'mapped', 'one_of', 'optional', 'text'],
		...['time', 'whole'],
	],
};

function imports(body: string): string {
	const isUsed = (name: string) => new RegExp(`(?<![."])\\b${name}\\b(?=[(\\[\\],) ]|$)`, 'm').test(body);
	return Object.entries(IMPORTED)
		.map(([module, names]) => {
			const line = `from ${module} import ${names.filter(isUsed).join(', ')}\n`;
			return module.startsWith('._api') ? `\n${line}` : line;
		})
		.join('');
}
