import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pythonOfTests, runPython } from '../support/python.ts';
import {
	clientEvent,
	closedLists,
	errors,
	eventData,
	exported,
	interfaces,
	methods,
} from '../support/typescript-client.ts';

/** What `programs/described.py` prints. */
interface Described {
	readonly client: readonly string[];
	readonly asyncClient: readonly string[];
	readonly methods: Readonly<Record<string, readonly string[]>>;
	readonly asyncMethods: Readonly<Record<string, readonly string[]>>;
	readonly verifyWebhook: readonly string[];
	readonly errors: Readonly<Record<string, { readonly base: string; readonly fields: readonly string[] }>>;
	readonly models: Readonly<Record<string, readonly string[]>>;
	readonly lists: Readonly<Record<string, readonly string[]>>;
	readonly eventData: Readonly<Record<string, readonly string[]>>;
	readonly names: readonly string[];
}

/** Python has the name already, or one for both. */
const RENAMED: Readonly<Record<string, string>> = {
	ConnectionError: 'BursarConnectionError',
	Confirmation: 'Confirmed',
	Error: 'Exception',
	from: 'from_',
	// A field of the API.
	tookMs: 'took_ms',
	List: 'PagedList',
};

/** Options of only one client. Python ends a call by cancelling its task, and `follow` by `stop`. It runs in no browser. */
const ONLY_TYPESCRIPT = new Set(['signal', 'fetch', 'dangerouslyAllowBrowser']);
const ONLY_PYTHON = new Set(['stop', 'http_client']);

/** Types whose fields are arguments in Python, which are compared as such. */
const ARGUMENTS = new Set(['NewToken', 'NewTopUp', 'NewWebhook', 'NewTerms', 'BursarOptions', 'VerifyWebhookOptions']);

/** Names that Python does not need: what other types are made of, what a union of classes does, and rules in text. */
const NOT_IN_PYTHON = new Set([
	...['AnyBursarError', 'ErrorDetails', 'EventData', 'Patience', 'Usability', 'WebhookHeaders'],
	...['CREATE_FEE_CENTS', 'USERNAME_RULE', 'isChangeId', 'normalizeUsername'],
	// Types of options, which `Unpack` takes apart.
	...['CallOptions', 'ChangeOptions', 'EventListOptions', 'FollowOptions', 'ListOptions', 'StatementOptions'],
	...['SubUserListOptions', 'TopUpListOptions', 'TransferOptions'],
]);

test('the Python client has what the TypeScript client has, under the same names', async (t) => {
	const python = await pythonOfTests(t);
	const { code, output } = await runPython(python, ['programs/described.py']);
	assert.equal(code, 0, output);
	const described: Described = JSON.parse(output);
	const names = exported();
	const fields = interfaces();

	await t.test('both Python clients have the same methods and arguments', () => {
		const { aclose: _, ...waiting } = described.asyncMethods;
		const { close: __, ...blocking } = described.methods;
		assert.deepEqual(waiting, blocking);
		assert.deepEqual(described.asyncClient, described.client);
	});

	await t.test('each method has the same arguments', () => {
		const { close: _, service_time: __, raw_request: ___, ...rest } = described.methods;
		const expected = Object.fromEntries(
			[...methods()].map(([method, args]) => {
				const name = method.split('.').map(snake).join('.');
				const given = described.methods[name] ?? [];
				return [
					name,
					args.flatMap(({ name, type }) => (given.includes(snake(name)) ? [name] : (fields.get(type) ?? [name]))),
				];
			}),
		);
		assert.ok(Object.keys(expected).length > 30);
		assert.deepEqual(
			Object.fromEntries(Object.entries(rest).map(([name, args]) => [name, withoutOwn(args)])),
			Object.fromEntries(Object.entries(expected).map(([name, args]) => [name, inPython(args)])),
		);
		const raw = ['method', 'path', 'body', ...(fields.get('ChangeOptions') ?? [])];
		assert.deepEqual(withoutOwn(described.methods.raw_request ?? []), inPython(raw));
		assert.deepEqual(described.methods.service_time, []);
	});

	await t.test('a client and the verification of webhooks have the same options', () => {
		assert.deepEqual(withoutOwn(described.client), inPython(fields.get('BursarOptions') ?? []));
		const verification = ['body', 'headers', 'secret', ...(fields.get('VerifyWebhookOptions') ?? [])];
		assert.deepEqual(described.verifyWebhook, inPython(verification));
	});

	await t.test('each error has the same base and the same fields', () => {
		const expected = [...errors()].map(([name, { base, fields }]) => [
			renamed(name),
			{ base: renamed(base), fields: inPython(fields) },
		]);
		assert.ok(expected.length > 25);
		assert.deepEqual(described.errors, Object.fromEntries(expected));
	});

	await t.test('each type has the same fields', () => {
		const compared = [...fields].filter(
			([name]) => names.has(name) && !ARGUMENTS.has(name) && !NOT_IN_PYTHON.has(name),
		);
		assert.ok(compared.length > 35);
		for (const [name, own] of compared) {
			assert.deepEqual(described.models[renamed(name)], inPython(own), name);
		}
		const isOption = (name: string) =>
			name.endsWith('Options') && fields.has(name) && described.models[name] !== undefined;
		const options = [...fields.keys()].filter(isOption);
		assert.ok(options.length > 6);
		for (const name of options) {
			assert.deepEqual(withoutOwn(described.models[name] ?? []), inPython(fields.get(name) ?? []), name);
		}
		assert.deepEqual(described.models.NewLimits, inPython(fields.get('SubUserLimits') ?? []));
		// Python has one name for how long something took and how long it waits.
		const ofCall = clientEvent().map((name) => (['tookMs', 'ms'].includes(name) ? 'seconds' : name));
		assert.deepEqual(described.models.ClientEvent, inPython(ofCall));
		assert.deepEqual(described.models.Event, inPython(fields.get('EventOfType') ?? []));
	});

	await t.test('each closed list has the same texts, and each type of event the same data', () => {
		const lists = [...closedLists()].filter(([name]) => names.has(name));
		assert.ok(lists.length > 5);
		for (const [name, texts] of lists) {
			assert.deepEqual(described.lists[name]?.toSorted(), texts.toSorted(), name);
		}
		const expected = [...eventData()].map(([type, fields]) => [type, inPython(fields)]);
		assert.deepEqual(described.eventData, Object.fromEntries(expected));
		assert.deepEqual(described.lists.EventType?.toSorted(), [...eventData().keys()].toSorted());
	});

	await t.test('each name that TypeScript exports is one of Python', () => {
		const missing = [...names].filter((name) => {
			const isKnown = NOT_IN_PYTHON.has(name) || ARGUMENTS.has(name);
			return !isKnown && !described.names.includes(renamed(name)) && !described.names.includes(snake(name));
		});
		assert.deepEqual(missing, []);
	});
});

function renamed(name: string): string {
	return RENAMED[name] ?? name;
}

/** The name of a field, an argument or a method in Python. Times are in seconds there. */
function snake(name: string): string {
	return RENAMED[name] ?? name.replace(/Ms$/, 'Seconds').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function inPython(names: readonly string[]): readonly string[] {
	return [...new Set(names.filter((name) => !ONLY_TYPESCRIPT.has(name)).map(snake))].toSorted();
}

function withoutOwn(names: readonly string[]): readonly string[] {
	return names.filter((name) => !ONLY_PYTHON.has(name));
}
