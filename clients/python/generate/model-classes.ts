import { type FieldOf, LISTS, MODELS, type ModelOf, OPERATIONS } from './model-table.ts';
import { bracketed, docstring, literal, snakeCase } from './python.ts';
import type { Schema, Schemas } from './schemas.ts';

type Fields = ModelOf['fields'];

/** A field in Python: its type, and the check that reads it. */
interface Reading {
	readonly type: string;
	readonly check: string;
}

/** Writes the classes of models, and the functions that read them. */
export class ModelClasses {
	readonly #schemas: Schemas;

	constructor(schemas: Schemas) {
		this.#schemas = schemas;
	}

	class(name: string, base: string | undefined, text: string, schema: Schema, fields: Fields): string {
		const lines = Object.entries(fields).map(([field, entry]) => {
			const place = `${name}.${field}`;
			const { type } = this.#readingOf(schema, field, fieldOf(entry), place);
			const { isSecret } = fieldOf(entry);
			return `
    ${field}: ${type}${isSecret ? ' = field(repr=False)' : ''}
${docstring(inPython(this.#descriptionOf(schema, field, fieldOf(entry), place)), INDENT)}
`;
		});
		return `${dataclass(name, base)}${docstring(inPython(text), INDENT)}\n${lines.join('')}`;
	}

	reader(functionName: string, name: string, schema: Schema, fields: Fields): string {
		const parts = Object.entries(fields).map(([field, entry]) => this.argument(schema, field, fieldOf(entry), name));
		return `def ${functionName}(data: object) -> ${name}:
    fields = fields_of(data)
${bracketed(`return ${name}`, '(', parts, ')', INDENT)}
`;
	}

	/** The argument that reads a field. */
	argument(schema: Schema, field: string, entry: FieldOf, place: string): string {
		const { check } = this.#readingOf(schema, field, entry, place);
		const path = (entry.from ?? field).split('.');
		const name = literal(path.pop());
		const object = path.reduce((outer, part) => `fields_of(${outer}[${literal(part)}])`, 'fields');
		const read = `${check}(${object}[${name}])`;
		const absent = this.#schemas.isRequired(schema, entry.from ?? field) ? entry.absent : 'None';
		return `${field}=${read}${absent === undefined ? '' : ` if ${name} in ${object} else ${absent}`}`;
	}

	/** Fails if the document has a field that no program would see. */
	assertAllRead(schema: Schema, fields: Fields, readElsewhere: readonly string[], place: string): void {
		const read = Object.entries(fields).map(([field, entry]) => fieldOf(entry).from ?? field);
		const forgotten = this.#leaves(schema, '').filter(
			(path) => ![...read, ...readElsewhere].some((name) => path === name || path.startsWith(`${name}.`)),
		);
		if (forgotten.length > 0) throw new Error(`${place}: no model has the field ${forgotten.join(', ')}.`);
	}

	/** The paths of the fields of an object and of objects in it, but not of those in lists. */
	#leaves(schema: Schema, before: string): readonly string[] {
		const { properties = {} } = this.#schemas.resolved(schema);
		return Object.entries(properties).flatMap(([name, field]) => {
			const content = this.#schemas.withoutNull(field).schema;
			return Object.keys(content.properties ?? {}).length > 0
				? this.#leaves(content, `${before}${name}.`)
				: [`${before}${name}`];
		});
	}

	#readingOf(schema: Schema, field: string, entry: FieldOf, place: string): Reading {
		const from = entry.from ?? field;
		const { schema: content, isNullable } = this.#schemas.withoutNull(this.#schemas.field(schema, from, place));
		const reading = this.#reading(content, entry, `${place}: ${from}`);
		const isOptional = isNullable || entry.absent === 'None' || !this.#schemas.isRequired(schema, from);
		return {
			type: isOptional ? `${reading.type} | None` : reading.type,
			check: isNullable ? `optional(${reading.check})` : reading.check,
		};
	}

	#reading(schema: Schema, entry: FieldOf, place: string): Reading {
		if (entry.kind === 'day') return { type: 'date', check: 'day' };
		if (entry.kind === 'error_code') return { type: 'ErrorCode', check: '_error_code' };
		if (entry.kind === 'any_text') return { type: 'str', check: 'any_text' };
		if (schema.enum) return this.#readingOfList(schema.enum, entry);
		if (schema.format === 'date-time') return { type: 'datetime', check: 'time' };
		if (schema.type === 'string') return { type: 'str', check: 'text' };
		if (schema.type === 'boolean') return { type: 'bool', check: 'boolean' };
		if (schema.type === 'integer') return { type: 'int', check: (schema.minimum ?? 0) < 0 ? 'whole' : 'count' };
		if (schema.items) {
			const item = this.#reading(this.#schemas.resolved(schema.items), entry, place);
			return { type: `tuple[${item.type}, ...]`, check: `each(${item.check})` };
		}
		if (schema.properties) {
			const name = this.#modelOf(schema, place);
			return { type: name, check: `read_${snakeCase(name)}` };
		}
		throw new Error(`${place}: no check reads ${JSON.stringify(schema)}`);
	}

	#readingOfList(values: readonly unknown[], entry: FieldOf): Reading {
		if (same(values, Object.keys(OPERATIONS))) return { type: 'ChangeOperation', check: 'mapped(_OPERATIONS)' };
		const name = entry.list ?? Object.keys(LISTS).find((list) => same(values, this.listed(list)));
		if (name === undefined)
			return { type: `${bracketed('Literal', '[', values.map(literal), ']')} | str`, check: 'text' };
		if (!values.every((value) => this.listed(name).includes(value)))
			throw new Error(`${name} lacks one of: ${values.join(', ')}`);
		return LISTS[name]?.isClosed
			? { type: name, check: `_${snakeCase(name)}` }
			: { type: `${name} | str`, check: 'text' };
	}

	/** The texts of a list. */
	listed(name: string): readonly unknown[] {
		const values = this.#schemas.at(LISTS[name]?.schema ?? '').enum;
		if (!values) throw new Error(`${name}: there is no list of texts in the document.`);
		return values;
	}

	/** The model with the same fields. */
	#modelOf(schema: Schema, place: string): string {
		const fields = Object.keys(schema.properties ?? {});
		const [name, ...others] = Object.keys(MODELS).filter((model) =>
			same(fields, Object.keys(this.#schemas.at((MODELS[model] as ModelOf).schema).properties ?? {})),
		);
		if (name === undefined || others.length > 0)
			throw new Error(`${place}: one model must have the fields ${fields.join(', ')}.`);
		return name;
	}

	#descriptionOf(schema: Schema, field: string, entry: FieldOf, place: string): string {
		const sent = this.#schemas.field(schema, entry.from ?? field, place);
		const text =
			entry.text ??
			sent.description ??
			this.#schemas.resolved(sent).description ??
			this.#schemas.withoutNull(sent).schema.description;
		if (text === undefined) throw new Error(`${place} has no description.`);
		return text;
	}
}

export const INDENT = '    ';

export function dataclass(name: string, base: string | undefined): string {
	return `@dataclass(frozen=True, slots=True, kw_only=True)\nclass ${name}${base === undefined ? '' : `(${base})`}:\n`;
}

export function fieldOf(entry: string | FieldOf): FieldOf {
	return typeof entry === 'string' ? { from: entry } : entry;
}

/** A description of the document, as it is true of a model. */
function inPython(text: string): string {
	return text.replaceAll('`null`', '`None`').replaceAll('absent if', '`None` if');
}

export function same(some: readonly unknown[], others: readonly unknown[]): boolean {
	return some.length === others.length && some.every((value) => others.includes(value));
}
