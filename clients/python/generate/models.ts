import { EVENTS, type FieldOf, LIKE, LISTS, MODELS, type ModelOf, OPERATIONS, READ_BY_HAND } from './model-table.ts';
import { bracketed, docstring, literal, snakeCase } from './python.ts';
import { type ApiDocument, nameOf, type Schema, Schemas } from './schemas.ts';

type Fields = ModelOf['fields'];

/** A field in Python: its type, and the check that reads it. */
interface Reading {
	readonly type: string;
	readonly check: string;
}

/** What holds of each event. `type`, `data` and `username` are different for each type. */
const EVENT_FIELDS: Fields = Object.fromEntries(
	['id', 'number', 'at', 'request_id', 'change_id'].map((name) => [name, name]),
);
const OWN_EVENT_FIELDS = ['type', 'username', 'data'];

/** The module with the models of answers and events, and the functions that read them. */
export function modelsModule(document: ApiDocument): string {
	const writer = new ModelWriter(document);
	const body = [...writer.lists(), ...writer.models(), ...writer.events()].join('\n\n');
	const names = Array.from(body.matchAll(/^(?:class |def )?([A-Za-z]\w*)(?=[:(]| = )/gm), ([, name]) => literal(name));
	return `${imports(body)}
${bracketed('__all__ = ', '[', names.toSorted(), ']')}

${body}`;
}

const USED_NAMES: Readonly<Record<string, string>> = {
	'collections.abc': 'Callable Mapping',
	dataclasses: 'dataclass field',
	datetime: 'date datetime',
	typing: 'Final Literal TypeAlias Union cast get_args',
	'._api': 'ErrorCode',
	'._read': 'any_text boolean count day each fields_of mapped one_of optional text time whole',
};

function imports(body: string): string {
	const lines = Object.entries(USED_NAMES).map(([module, names]) => {
		const used = names
			.split(' ')
			.filter((name) => new RegExp(`(?<![."])\\b${name}\\b(?=[(\\[\\],) ]|$)`, 'm').test(body));
		return `from ${module} import ${used.join(', ')}\n${module === 'typing' ? '\n' : ''}`;
	});
	return lines.join('');
}

class ModelWriter {
	readonly #document: ApiDocument;
	readonly #schemas: Schemas;

	constructor(document: ApiDocument) {
		this.#document = document;
		this.#schemas = new Schemas(document);
		for (const { name, place } of this.#answers()) {
			if (!Object.values(MODELS).some(({ schema }) => schema === name) && !LIKE[name] && !READ_BY_HAND.includes(name))
				throw new Error(`${place}: no model reads the schema ${name}.`);
		}
	}

	/** The lists of texts that have names, and what checks the closed ones. */
	lists(): readonly string[] {
		const lists = Object.entries(LISTS).map(([name, { text, isClosed }]) => {
			const check = `_${snakeCase(name)}: Callable[[object], ${name}] = one_of(get_args(${name}))\n`;
			return `${alias(name, this.#listed(name))}${docstring(text, '')}\n${isClosed ? `\n${check}` : ''}`;
		});
		const kinds = this.#schemas.at('RecordedChange.kind').enum ?? [];
		const unlike = [
			...kinds.filter((kind) => !OPERATIONS[String(kind)]),
			...Object.keys(OPERATIONS).filter((kind) => !kinds.includes(kind)),
		];
		if (unlike.length > 0) throw new Error(`The kinds of changes are not those of the document: ${unlike.join(', ')}`);
		return [
			...lists,
			`${alias('ChangeOperation', Object.values(OPERATIONS))}${docstring('What a change does.', '')}

_OPERATIONS: Final[Mapping[str, ChangeOperation]] = {
${Object.entries(OPERATIONS)
	.map(([kind, operation]) => `    ${literal(kind)}: ${literal(operation)},\n`)
	.join('')}}

_error_code: Callable[[object], ErrorCode] = one_of(get_args(ErrorCode))
`,
		];
	}

	models(): readonly string[] {
		return Object.entries(MODELS).map(([name, model]) => {
			const schema = this.#schemas.at(model.schema);
			this.#assertAllRead(schema, model.fields, model.leftOut, model.schema);
			const inherited = model.base === undefined ? {} : (MODELS[model.base] as ModelOf).fields;
			const own = Object.entries(model.fields).filter(([field]) => !(field in inherited));
			const text = model.text ?? schema.description;
			if (text === undefined) throw new Error(`${name} has no description.`);
			return `${this.#class(name, model.base, text, schema, Object.fromEntries(own))}

${this.#reader(`read_${snakeCase(name)}`, name, schema, model.fields)}`;
		});
	}

	events(): readonly string[] {
		const schemas = this.#eventSchemas();
		const types = [...schemas.keys()];
		return [
			EVENT,
			`${dataclass('NoData', undefined)}${docstring('The data of an event that tells no more than its type.', INDENT)}\n`,
			...Array.from(schemas, ([type, schema]) => this.#event(type, schema)),
			`${bracketed('ResellerEvent: TypeAlias = Union', '[', types.map(className), ']')}
${docstring('What has happened to you or to a sub-user. A newer service may have further types, whose event is an `Event` with its data as it came: ignore those that you do not know.', '')}

_EVENTS: Final[Mapping[str, Callable[[Mapping[str, object]], ResellerEvent]]] = {
${types.map((type) => `    ${literal(type)}: _read_${snakeCase(className(type))},\n`).join('')}}
`,
			READ_EVENT,
		];
	}

	/** An event, with its data. */
	#event(type: string, schema: Schema): string {
		const told = EVENTS[type];
		if (!told) throw new Error(`No model reads the event ${type}.`);
		const name = className(type);
		const data = this.#schemas.field(schema, 'data', type);
		this.#assertAllRead(schema, EVENT_FIELDS, OWN_EVENT_FIELDS, type);
		this.#assertAllRead(data, told.fields ?? {}, [], `${type}.data`);
		const dataName = told.fields ? `${name}Data` : 'NoData';
		const isOfSubUser = type.startsWith('sub_user.');
		const dataReader = told.fields
			? `${this.#class(dataName, undefined, `The data of \`${type}\`.`, data, told.fields)}

${this.#reader(`_read_${snakeCase(dataName)}`, dataName, data, told.fields)}

`
			: '';
		const parts = [
			...Object.entries(EVENT_FIELDS).map(([field, entry]) => this.#argument(schema, field, fieldOf(entry), type)),
			`type=${literal(type)}`,
			isOfSubUser ? 'username=text(fields["username"])' : USERNAME,
			told.fields ? `data=_read_${snakeCase(dataName)}(fields["data"])` : 'data=_read_no_data(fields["data"])',
		];
		return `${dataReader}${dataclass(name, 'Event')}${docstring(told.text, INDENT)}

    type: Literal[${literal(type)}]
${isOfSubUser ? '    username: str\n' : ''}    data: ${dataName}


def _read_${snakeCase(name)}(fields: Mapping[str, object]) -> ${name}:
${bracketed(`return ${name}`, '(', parts, ')', INDENT)}
`;
	}

	#class(name: string, base: string | undefined, text: string, schema: Schema, fields: Fields): string {
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

	#reader(functionName: string, name: string, schema: Schema, fields: Fields): string {
		const parts = Object.entries(fields).map(([field, entry]) => this.#argument(schema, field, fieldOf(entry), name));
		return `def ${functionName}(data: object) -> ${name}:
    fields = fields_of(data)
${bracketed(`return ${name}`, '(', parts, ')', INDENT)}
`;
	}

	/** The argument that reads a field. */
	#argument(schema: Schema, field: string, entry: FieldOf, place: string): string {
		const { check } = this.#readingOf(schema, field, entry, place);
		const path = (entry.from ?? field).split('.');
		const name = literal(path.pop());
		const object = path.reduce((outer, part) => `fields_of(${outer}[${literal(part)}])`, 'fields');
		const read = `${check}(${object}[${name}])`;
		const absent = this.#schemas.isRequired(schema, entry.from ?? field) ? entry.absent : 'None';
		return `${field}=${read}${absent === undefined ? '' : ` if ${name} in ${object} else ${absent}`}`;
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
		const name = entry.list ?? Object.keys(LISTS).find((list) => same(values, this.#listed(list)));
		if (name === undefined)
			return { type: `${bracketed('Literal', '[', values.map(literal), ']')} | str`, check: 'text' };
		if (!values.every((value) => this.#listed(name).includes(value)))
			throw new Error(`${name} lacks one of: ${values.join(', ')}`);
		return LISTS[name]?.isClosed
			? { type: name, check: `_${snakeCase(name)}` }
			: { type: `${name} | str`, check: 'text' };
	}

	#listed(name: string): readonly unknown[] {
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

	/** Fails if the document has a field that no program would see. */
	#assertAllRead(schema: Schema, fields: Fields, leftOut: readonly string[] = [], place: string): void {
		const read = Object.entries(fields).map(([field, entry]) => fieldOf(entry).from ?? field);
		const forgotten = this.#leaves(schema, '').filter(
			(path) => ![...read, ...leftOut].some((name) => path === name || path.startsWith(`${name}.`)),
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

	/** The schema of the data of each answer. */
	*#answers(): Iterable<{ readonly name: string; readonly place: string }> {
		for (const methods of Object.values(this.#document.paths)) {
			for (const { operationId, responses } of Object.values(methods)) {
				for (const { schema } of Object.values(responses['200']?.content ?? {})) {
					const name = nameOf(this.#schemas.field(schema, 'data', operationId));
					if (name === undefined) throw new Error(`${operationId}: the data of its answer has no schema with a name.`);
					yield { name, place: operationId };
				}
			}
		}
	}

	#eventSchemas(): Map<string, Schema> {
		const { anyOf, oneOf } = this.#schemas.named('ResellerEvent');
		const events = (anyOf ?? oneOf ?? []).map((schema) => this.#schemas.resolved(schema));
		const byType = new Map(events.map((event) => [typeOf(this.#schemas.field(event, 'type', 'ResellerEvent')), event]));
		if (!same([...byType.keys()], Object.keys(EVENTS)) || !same([...byType.keys()], this.#listed('EventType')))
			throw new Error('The types of events are not those of the document.');
		return byType;
	}
}

const INDENT = '    ';
const USERNAME = 'username=text(fields["username"]) if "username" in fields else None';

const EVENT = `${dataclass('Event', undefined)}${docstring('What has happened. The event of a type that this client knows has its own class.', INDENT)}

    id: str
    """An event of a log that was restored has another one."""

    number: int
    """Its place in the log: 1, 2, 3, without a gap."""

    type: str

    at: datetime

    username: str | None
    """The sub-user that it is about."""

    data: object
    """Of a type that this client does not know, the data as it came."""

    request_id: str | None
    """\`X-Request-Id\` of the request that has caused it; \`None\` if bandwidth or time has."""

    change_id: str | None
    """The id of the change that has caused it; \`None\` if it had none."""

    @property
    def next(self) -> str:
        """The place behind it. Keep it: it is the \`after\` with which you go on."""
        return f"{self.number}-{self.id}"
`;

const READ_EVENT = `def read_event(data: object) -> ResellerEvent:
    """Reads an event of a page, or the body of a webhook."""
    fields = fields_of(data)
    kind = text(fields["type"])
    read = _EVENTS.get(kind)
    if read is not None:
        return read(fields)
    unknown = Event(
        id=text(fields["id"]),
        number=count(fields["number"]),
        type=kind,
        at=time(fields["at"]),
        username=text(fields["username"]) if "username" in fields or kind.startswith("sub_user.") else None,
        data=dict(fields_of(fields["data"])),
        request_id=text(fields["request_id"]) if "request_id" in fields else None,
        change_id=text(fields["change_id"]) if "change_id" in fields else None,
    )
    # A program compares types before it reads the data. So what it does not know, it ignores.
    return cast(ResellerEvent, unknown)


def _read_no_data(data: object) -> NoData:
    fields_of(data)
    return NoData()
`;

function dataclass(name: string, base: string | undefined): string {
	return `@dataclass(frozen=True, slots=True, kw_only=True)\nclass ${name}${base === undefined ? '' : `(${base})`}:\n`;
}

function alias(name: string, values: readonly unknown[]): string {
	return `${bracketed(`${name}: TypeAlias = Literal`, '[', values.map(literal), ']')}\n`;
}

/** `SubUserCreated` for `sub_user.created`. */
function className(type: string): string {
	return type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function typeOf({ const: value, enum: values }: Schema): string {
	return String(value ?? values?.[0]);
}

function fieldOf(entry: string | FieldOf): FieldOf {
	return typeof entry === 'string' ? { from: entry } : entry;
}

/** A description of the document, as it is true of a model. */
function inPython(text: string): string {
	return text.replaceAll('`null`', '`None`').replaceAll('absent if', '`None` if');
}

function same(some: readonly unknown[], others: readonly unknown[]): boolean {
	return some.length === others.length && some.every((value) => others.includes(value));
}
