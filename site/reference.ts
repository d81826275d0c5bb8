// Writes the page `api-reference.md` from the OpenAPI document of the contract.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../packages/contract/src/index.ts';

/** What we use of the document. The contract makes it, so its form is known. */
interface Document {
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Operation {
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description: string;
	readonly parameters: readonly unknown[];
	readonly requestBody?: { readonly content: { readonly 'application/json': Content } };
	readonly responses: Readonly<Record<string, unknown>>;
}

interface Content {
	readonly schema: unknown;
	readonly example?: unknown;
	readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Response {
	readonly description: string;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly content: { readonly 'application/json': Content };
}

interface Described {
	readonly description: string;
	readonly name: string;
	readonly schema: Schema;
}

interface Schema {
	readonly type?: string | readonly string[];
	readonly description?: string;
	readonly properties?: Readonly<Record<string, unknown>>;
	readonly required?: readonly string[];
	readonly items?: unknown;
	readonly [keyword: string]: unknown;
}

/** The keywords of JSON Schema that limit a value, as the table shows them. */
const LIMITS = ['const', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'pattern', 'format'];

/** The reference, as Markdown. */
function reference(document: Document): string {
	return [
		'# API reference',
		'Each endpoint with its parameters, its schemas, its failures and an example. It is made from the OpenAPI document that a service has at `/openapi.json`. [The reseller API](../docs/api.md) says what the endpoints promise.',
		...document.tags.flatMap(({ name, description }) => [
			`## ${name}`,
			description,
			...Object.entries(document.paths).flatMap(([path, methods]) =>
				Object.entries(methods)
					.filter(([, operation]) => operation.tags.includes(name))
					.flatMap(([method, operation]) => endpoint(document, method, path, operation)),
			),
		]),
		'## Failures',
		'The body and the headers of a failure are the same everywhere. Its code is in the header `X-Error-Code`.',
		...fields(document, document.components.schemas?.Failure),
		...failureExamples(document),
	].join('\n\n');
}

function endpoint(document: Document, method: string, path: string, operation: Operation): readonly string[] {
	const { summary, description, parameters, requestBody, responses } = operation;
	const { 200: success, ...failures } = responses;
	const answer = resolve(document, success) as Response;
	const request = requestBody?.content['application/json'];
	return [
		`### ${summary}`,
		`\`${method.toUpperCase()} ${path}\``,
		description,
		'**Headers of the request**',
		table(
			['header', 'type', 'meaning'],
			[
				['`Authorization`', 'string', '`Bearer`, and the token of the reseller.'],
				...parameters.map((parameter) => {
					const { name, schema, description } = resolve(document, parameter) as Described;
					return [`\`${name}\``, typeOf(document, schema), `Optional. ${description}`];
				}),
			],
		),
		...(request ? ['**Body of the request**', ...fields(document, request.schema), json(request.example)] : []),
		'**Answer**',
		`200: ${answer.description}`,
		...fields(document, answer.content['application/json'].schema),
		json(answer.content['application/json'].example),
		'**Failures**',
		table(
			['status', 'codes'],
			Object.entries(failures).map(([status, failure]) => [
				status,
				(resolve(document, failure) as Response).description.replaceAll('\n\n', '<br>'),
			]),
		),
	];
}

/** The fields of a schema, those inside of others too. */
function fields(document: Document, schema: unknown): readonly string[] {
	const rows = fieldRows(document, schema, '');
	return rows.length === 0 ? [] : [table(['field', 'type', 'meaning'], rows)];
}

function fieldRows(document: Document, given: unknown, prefix: string): readonly (readonly string[])[] {
	const schema = resolve(document, given) as Schema;
	if (schema.items !== undefined) return fieldRows(document, schema.items, `${prefix}[]`);
	return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
		const property = resolve(document, given) as Schema;
		const field = prefix === '' ? name : `${prefix}.${name}`;
		return [
			[`\`${field}\``, typeOf(document, property), property.description ?? ''],
			...fieldRows(document, property, field),
		];
	});
}

function typeOf(document: Document, schema: Schema): string {
	const items = schema.items === undefined ? '' : ` of ${(resolve(document, schema.items) as Schema).type}s`;
	const limits = LIMITS.filter((keyword) => keyword in schema).map(
		(keyword) => `${keyword} \`${JSON.stringify(schema[keyword]).replaceAll('|', '\\|')}\``,
	);
	return [`${[schema.type ?? 'value'].flat().join(' or ')}${items}`, ...limits].join(', ');
}

/** One example of each failure. */
function failureExamples(document: Document): readonly string[] {
	const responses = Object.values(document.components.responses ?? {}) as Response[];
	const examples = responses.flatMap(({ content }) => Object.entries(content['application/json'].examples ?? {}));
	const byCode = new Map(examples.map(([code, { value }]) => [code, value]));
	return [...byCode].flatMap(([code, value]) => [`### ${code}`, json(value)]);
}

/** What a reference leads to, or the value itself. */
function resolve(document: Document, value: unknown): unknown {
	const path = (value as { readonly $ref?: string }).$ref;
	if (path === undefined) return value;
	return path
		.split('/')
		.slice(1)
		.reduce((found: unknown, key) => (found as Record<string, unknown>)[key], document);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function json(value: unknown): string {
	return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

const document = openApiDocument('') as unknown as Document;
writeFileSync(join(import.meta.dirname, 'api-reference.md'), `${reference(document)}\n`);
