import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { startProcess } from '@bursar/testing/test-process';
import { environmentOfPython, programOf } from './python.ts';
import type { ClientKind } from './soak.ts';

/** A call of a method of the Python client, in its own words. */
export interface Call {
	/** `sub_users.give`, for example. */
	readonly method: string;
	readonly args?: readonly unknown[];
	readonly options?: Readonly<Record<string, unknown>>;
	/** How many items of a loop without an end. */
	readonly take?: number;
}

/** What it returned, or its error, in the words of the TypeScript client. */
interface Returned {
	readonly result?: unknown;
	readonly error?: { readonly name: string; readonly code: string | null; readonly status: number | null };
}

/** A Python client that makes the calls of a test. It ends with the test. */
export interface CalledClient {
	/** All its public methods. */
	readonly methods: readonly string[];
	call(call: Call): Promise<Returned>;
}

export async function startClient(
	t: TestContext,
	python: string,
	kind: ClientKind,
	reach: Readonly<Record<string, string>>,
): Promise<CalledClient> {
	const program = startProcess(t, programOf(python, 'calls.py', kind), {
		environment: environmentOfPython(reach),
		input: null,
	});
	const lines = createInterface(program.child.stdout)[Symbol.asyncIterator]();
	const nextLine = async () => {
		const { value, done } = await lines.next();
		return done ? assert.fail((await program.ended).stderr) : JSON.parse(value);
	};
	return {
		methods: await nextLine(),
		call({ args = [], options = {}, ...rest }) {
			program.child.stdin.write(`${JSON.stringify({ args, options, ...rest })}\n`);
			return nextLine();
		},
	};
}
