import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openApiDocument } from '../../../packages/contract/src/openapi.ts';
import { apiModule } from '../generate/api.ts';
import { generatedFiles, staleFiles } from '../generate/generated-files.ts';
import { modelsModule } from '../generate/models.ts';
import { fullMatch } from '../generate/python.ts';
import type { ApiDocument, Schema } from '../generate/schemas.ts';

const VERSION = '1.2.3';

function documentWith(change: (schemas: Record<string, Schema>, document: ApiDocument) => void): ApiDocument {
	const document = structuredClone(openApiDocument(VERSION)) as unknown as ApiDocument;
	change(document.components.schemas, document);
	return document;
}

/** The fields of a schema, to be changed. */
function fieldsOf(schema: Schema | undefined): Record<string, Schema> {
	assert.ok(schema?.properties);
	return schema.properties;
}

test('a file that has changed, is missing, or has lost its source is out of date', (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'bursar-generated-'));
	t.after(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, 'src/bursar/_async'), { recursive: true });
	writeFileSync(join(folder, 'src/bursar/_async/client.py'), 'async def send() -> None: ...\n');
	writeFileSync(join(folder, 'src/bursar/_async/waiting.py'), 'import asyncio\n');
	const files = generatedFiles(
		documentWith(() => {}),
		VERSION,
		folder,
	);
	assert.deepEqual(staleFiles(folder, files), [
		'src/bursar/_api.py',
		'src/bursar/_models.py',
		'test/examples.jsonl',
		'src/bursar/_sync/client.py',
	]);
	for (const [file, text] of files) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), text);
	}
	writeFileSync(join(folder, 'src/bursar/_sync/waiting.py'), 'import time\n');
	assert.deepEqual(staleFiles(folder, files), []);
	writeFileSync(join(folder, 'src/bursar/_models.py'), `${files.get('src/bursar/_models.py')}\n`);
	writeFileSync(join(folder, 'src/bursar/_sync/gone.py'), '');
	assert.deepEqual(staleFiles(folder, files), ['src/bursar/_models.py', 'src/bursar/_sync/gone.py']);
});

test('what is new in the document cannot be forgotten', () => {
	const news: readonly [change: Parameters<typeof documentWith>[0], message: RegExp][] = [
		[({ SubUser }) => Object.assign(fieldsOf(SubUser), { color: { type: 'string' } }), /SubUser: .* color/],
		[
			({ BandwidthRecord }) =>
				Object.assign(fieldsOf(fieldsOf(BandwidthRecord).bandwidth), { sideways: { type: 'integer' } }),
			/BandwidthRecord: .* bandwidth\.sideways/,
		],
		[({ TopUp }) => delete fieldsOf(TopUp).url, /TopUp\.url: .* no field url/],
		[({ RecordedChange }) => listOf(fieldsOf(RecordedChange).kind).push('paint_sub_user'), /paint_sub_user/],
		[({ ResellerEvent }) => eventsOf(ResellerEvent).pop(), /types of events/],
		[
			({ SubUserCreatedEvent }) => Object.assign(fieldsOf(fieldsOf(SubUserCreatedEvent).data), { color: {} }),
			/sub_user\.created\.data: .* color/,
		],
		[
			(schemas, { paths }) => {
				Object.assign(schemas, { Color: { type: 'object', properties: {} } });
				const answer = Object.values(paths['/reseller/my_info']?.get?.responses['200']?.content ?? {})[0];
				assert.ok(answer);
				const data = { $ref: '#/components/schemas/Color' };
				Object.assign(answer, { schema: { type: 'object', properties: { data } } });
			},
			/myInfo: no model reads the schema Color/,
		],
	];
	for (const [change, message] of news) assert.throws(() => modelsModule(documentWith(change)), message);
});

test('the models are the same whichever way the document says that a field may be null, and that it has a list of texts', () => {
	const rewritten = JSON.parse(JSON.stringify(documentWith(() => {})), (_, value) => {
		const [schema, other] = value?.anyOf ?? [];
		if (other?.type !== 'null' || typeof (schema.type ?? 'string') !== 'string' || schema.$ref) {
			if (!value?.enum || !value.type) return value;
			const { type, ...untyped } = value;
			return untyped;
		}
		const { anyOf, ...rest } = value;
		return {
			...schema,
			...rest,
			type: [schema.type ?? 'string', 'null'],
			...(schema.enum && { enum: [...schema.enum, null] }),
		};
	});
	assert.notDeepEqual(
		rewritten,
		documentWith(() => {}),
	);
	assert.equal(modelsModule(rewritten), modelsModule(documentWith(() => {})));
});

test('a version has the form that Python compares', () => {
	const versionOf = (version: string) =>
		/VERSION: Final = "(.*)"/.exec(
			apiModule(
				documentWith(() => {}),
				version,
			),
		)?.[1];
	assert.deepEqual(['1.2.3', '1.0.0-rc.1', '2.0.0-beta.12'].map(versionOf), ['1.2.3', '1.0.0rc1', '2.0.0b12']);
	assert.throws(() => versionOf('1.0.0+build'), /has no form for Python/);
});

test('a pattern that Python may read in another way is refused', () => {
	assert.equal(fullMatch(/^[!-~]{1,128}$/), 're.compile(r"[!-~]{1,128}", re.ASCII)');
	for (const pattern of [/[a-z]+/, /^a$|^b$/, /^a|b$/, /^\d$/, /^a$/i, /^(?<name>a)$/, /^(?!a)b$/]) {
		assert.throws(() => fullMatch(pattern), /may mean something else/, String(pattern));
	}
});

function listOf(schema: Schema | undefined): unknown[] {
	assert.ok(schema?.enum);
	return schema.enum as unknown[];
}

function eventsOf(schema: Schema | undefined): Schema[] {
	const events = schema?.anyOf ?? schema?.oneOf;
	assert.ok(events);
	return events as Schema[];
}
