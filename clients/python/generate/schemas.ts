/** A schema of the OpenAPI document, as far as the generator reads it. */
export interface Schema {
	readonly $ref?: string;
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly anyOf?: readonly Schema[];
	readonly oneOf?: readonly Schema[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly minimum?: number;
	readonly description?: string;
}

interface Content {
	readonly schema: Schema;
	readonly example?: { readonly data: unknown };
}

interface Operation {
	readonly operationId: string;
	readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

export interface ApiDocument {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Reads the schemas of a document, through their references. */
export class Schemas {
	readonly #schemas: ApiDocument['components']['schemas'];

	constructor(document: ApiDocument) {
		this.#schemas = document.components.schemas;
	}

	/** The schema to which references lead. */
	resolved(schema: Schema): Schema {
		const name = nameOf(schema);
		return name === undefined ? schema : this.resolved(this.named(name));
	}

	named(name: string): Schema {
		const schema = this.#schemas[name];
		if (!schema) throw new Error(`The document has no schema ${name}.`);
		return schema;
	}

	/** The schema at a path: the name of a schema and names of fields, like `ListedSubUser.used`. Arrays stand for their items. */
	at(path: string): Schema {
		const [name = '', ...fields] = path.split('.');
		return fields.reduce(
			(schema, field) => this.#contentOf(this.field(schema, field, path)),
			this.#contentOf(this.named(name)),
		);
	}

	/** A field of an object, or of an object in it: `bandwidth.up`. */
	field(object: Schema, path: string, place: string): Schema {
		const [first = '', ...rest] = path.split('.');
		const field = this.resolved(object).properties?.[first];
		if (!field) throw new Error(`${place}: the document has no field ${first}.`);
		return rest.length === 0 ? field : this.field(this.#contentOf(field), rest.join('.'), place);
	}

	isRequired(object: Schema, path: string): boolean {
		return this.resolved(object).required?.includes(path.split('.')[0] as string) ?? false;
	}

	/** A schema without `null`, which is written as a part of `anyOf` or as a second type. */
	withoutNull(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
		const { anyOf, ...resolved } = this.resolved(schema);
		if (anyOf) {
			const parts = anyOf.filter(({ type }) => type !== 'null');
			const isNullable = parts.length < anyOf.length;
			if (isNullable && parts.length === 1) return { schema: this.resolved(parts[0] as Schema), isNullable };
			return { schema: { ...resolved, anyOf: parts }, isNullable };
		}
		if (!Array.isArray(resolved.type)) return { schema: resolved, isNullable: false };
		const types = resolved.type.filter((type) => type !== 'null');
		if (types.length !== 1) throw new Error(`A schema has several types: ${JSON.stringify(schema)}`);
		return {
			schema: {
				...resolved,
				type: types[0],
				...(resolved.enum && { enum: resolved.enum.filter((value) => value !== null) }),
			},
			isNullable: types.length < resolved.type.length,
		};
	}

	#contentOf(schema: Schema): Schema {
		const content = this.withoutNull(schema).schema;
		return content.items ? this.withoutNull(content.items).schema : content;
	}
}

/** The name of the schema to which a reference leads. */
export function nameOf({ $ref }: Schema): string | undefined {
	return $ref?.replace('#/components/schemas/', '');
}
