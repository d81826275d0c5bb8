import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Random } from '@bursar/testing/random';
import { startProcess } from '@bursar/testing/test-process';
import {
	ConnectionError,
	type Creation,
	type ErrorCode,
	type FeeRange,
	OutcomeUnknownError,
	type RecordedChange,
	type ReplacedAuthKey,
	type Transfer,
} from '../../../../packages/client/src/index.ts';
import type { Operation, Task } from '../../../../packages/client/test/support/client-operations.ts';
import type { Lane } from '../../../../packages/client/test/support/client-workload.ts';
import { AFTER_EXPIRY_MS, TIMEOUT_MS, TOTAL_TIMEOUT_MS } from '../../../../packages/client/test/support/faulty-run.ts';
import { environmentOfPython, programOf } from './python.ts';

/** The synchronous client in threads, or the asynchronous one in tasks. */
export type ClientKind = 'threads' | 'tasks';

/** How a program that is wrong treats an unknown outcome. */
export type WrongHabit =
	/** It makes the change again, with another id. */
	| 'repeats'
	/** It takes the change for one that was not done. */
	| 'gives_up';

/** A task of `programs/soak.py`. */
export interface SoakTask extends Task {
	/** The id of its change, if the program gives it one. */
	readonly changeId: string | undefined;
	readonly reference: string | undefined;
	/** Whether the same call is made again with the same id, once its outcome is known. */
	readonly isRepeated: boolean;
}

/** What one call of the program reported. */
interface Told {
	readonly kind: Operation['report']['kind'];
	readonly what?: Creation | Transfer | ReplacedAuthKey;
	readonly name?: string;
	readonly code?: ErrorCode;
	readonly message?: string;
	readonly fee?: FeeRange;
	/** What `changes.settle` told of an unknown outcome; `unknown` if it could not tell. */
	readonly settled?: RecordedChange | 'unknown' | null;
	readonly requests: Operation['requests'];
	readonly tookMs: number;
	readonly changeId: string | null;
}

/** A task that has ended, as the program reported it. */
export interface SoakReport extends Told {
	readonly task: SoakTask;
	/** The report of the repeated call. */
	readonly repeated?: Told;
}

const ONE_IN = { ownId: 2, reference: 3, repeated: 6 };

/** The same lanes, with ids, references and repeats for some of the tasks. */
export function planSoak(lanes: readonly Lane[], random: Random, seed: number): (readonly SoakTask[])[][] {
	const isChosen = (oneIn: number) => random.below(oneIn) === 0;
	return lanes.map((lane) =>
		lane.map((step) =>
			step.map((task) => ({
				...task,
				changeId: isChosen(ONE_IN.ownId) ? `soak-${seed}-${task.number}`.padEnd(16, '-') : undefined,
				reference: isChosen(ONE_IN.reference) ? `order-${task.number}` : undefined,
				isRepeated: isChosen(ONE_IN.repeated) && ['create', 'give', 'take', 'reset'].includes(task.kind),
			})),
		),
	);
}

/** Runs the tasks by the Python client to their end. Resolves with the reports in the order in which they ended. */
export async function soak(
	t: TestContext,
	python: string,
	settings: {
		readonly url: string;
		readonly token: string;
		readonly client: ClientKind;
		readonly lanes: readonly (readonly (readonly SoakTask[])[])[];
		readonly habit?: WrongHabit;
	},
): Promise<SoakReport[]> {
	const { url, token, client, lanes, habit } = settings;
	const options = {
		base_url: url,
		token,
		timeout_seconds: TIMEOUT_MS / 1_000,
		// A program that is wrong has no time to repeat a change.
		total_timeout_seconds: habit ? TIMEOUT_MS / 1_000 + 0.5 : TOTAL_TIMEOUT_MS / 1_000,
		after_expiry_seconds: AFTER_EXPIRY_MS / 1_000,
	};
	const program = startProcess(t, programOf(python, 'soak.py'), {
		environment: environmentOfPython(),
		input: JSON.stringify({ client, lanes, habit: habit ?? null, options }),
	});
	const { code, stdout, stderr } = await program.ended;
	assert.deepEqual([stderr, code], ['', 0]);
	const tasks = new Map(lanes.flat(2).map((task) => [task.number, task]));
	const reports = stdout
		.trimEnd()
		.split('\n')
		.map((line): SoakReport => {
			const { number, ...told } = JSON.parse(line);
			return { ...told, task: tasks.get(number) as SoakTask };
		});
	assert.equal(reports.length, tasks.size, 'each task has its report');
	return reports;
}

/** A report as the checks of the TypeScript client read it. A call that was given up counts as one with an unknown outcome. */
export function operationOf({ task, kind, what, message = '', code, fee, requests, tookMs }: SoakReport): Operation {
	return { ...task, requests, tookMs, report: reportOf() };

	function reportOf(): Operation['report'] {
		if (kind === 'done') return { kind, what: what ?? assert.fail('a result is missing') };
		const details = { ...(code && { code }), ...(fee && { fee }) };
		if (kind === 'refused' || kind === 'not_done') return { kind, error: new ConnectionError(message, details) };
		const known = { operation: 'give', username: task.username, changeId: 'unknown' } as const;
		const perhaps = ['create', 'create_taken'].includes(task.kind) ? { fee: { minCents: 0, maxCents: 10 } } : {};
		return { kind: 'unknown', error: new OutcomeUnknownError(message, known, { ...perhaps, ...details }) };
	}
}
