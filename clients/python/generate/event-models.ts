import { dataclass, fieldOf, INDENT, type ModelClasses, same } from './model-classes.ts';
import { EVENTS } from './model-table.ts';
import { bracketed, docstring, literal, snakeCase } from './python.ts';
import type { Schema, Schemas } from './schemas.ts';

/** What holds of each event. `type`, `data` and `username` are different for each type. */
const EVENT_FIELDS = Object.fromEntries(['id', 'number', 'at', 'request_id', 'change_id'].map((name) => [name, name]));
const EVENT_FIELDS_BY_TYPE = ['type', 'username', 'data'];

/** Writes the classes of events, and the functions that read them. */
export class EventModels {
	readonly #schemas: Schemas;
	readonly #classes: ModelClasses;

	constructor(schemas: Schemas, classes: ModelClasses) {
		this.#schemas = schemas;
		this.#classes = classes;
	}

	written(): readonly string[] {
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
		this.#classes.assertAllRead(schema, EVENT_FIELDS, EVENT_FIELDS_BY_TYPE, type);
		this.#classes.assertAllRead(data, told.fields ?? {}, [], `${type}.data`);
		const dataName = told.fields ? `${name}Data` : 'NoData';
		const isOfSubUser = type.startsWith('sub_user.');
		const dataReader = told.fields
			? `${this.#classes.class(dataName, undefined, `The data of \`${type}\`.`, data, told.fields)}

${this.#classes.reader(`_read_${snakeCase(dataName)}`, dataName, data, told.fields)}

`
			: '';
		const parts = [
			...Object.entries(EVENT_FIELDS).map(([field, entry]) =>
				this.#classes.argument(schema, field, fieldOf(entry), type),
			),
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

	#eventSchemas(): Map<string, Schema> {
		const { anyOf, oneOf } = this.#schemas.named('ResellerEvent');
		const events = (anyOf ?? oneOf ?? []).map((schema) => this.#schemas.resolved(schema));
		const byType = new Map(events.map((event) => [typeOf(this.#schemas.field(event, 'type', 'ResellerEvent')), event]));
		if (!same([...byType.keys()], Object.keys(EVENTS)) || !same([...byType.keys()], this.#classes.listed('EventType')))
			throw new Error('The types of events are not those of the document.');
		return byType;
	}
}

const USERNAME = 'username=text(fields["username"]) if "username" in fields else None';

const EVENT = `${dataclass('Event', undefined)}${docstring('What has happened. Each type that this client knows has its own class, and `ResellerEvent` is their union.', INDENT)}

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

/** `SubUserCreated` for `sub_user.created`. */
function className(type: string): string {
	return type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function typeOf({ const: value, enum: values }: Schema): string {
	return String(value ?? values?.[0]);
}
