import { setTimeout } from 'node:timers/promises';
import type { Random } from '@bursar/testing/random';
import { type Changer, type Operation, operate, type Task } from './client-operations.ts';
import type { ResellerAccounts } from './reseller-accounts.ts';

/** The tasks of one sub-user, step by step. The tasks of one step run at the same time. */
export type Lane = readonly (readonly Task[])[];

const MIX: readonly Task['kind'][] = [
	...Array<Task['kind']>(6).fill('give'),
	...Array<Task['kind']>(5).fill('take'),
	...Array<Task['kind']>(4).fill('create'),
	...Array<Task['kind']>(3).fill('reset'),
	'create_taken',
	'create_owned',
	'take_too_much',
];
/** More than any sub-user has. */
const TOO_MUCH_CENTS = 10 ** 14;
/** Some callers give up before the call ends. */
const GIVEN_UP_ONE_IN = 16;
/** The lanes do not all start at the same moment. */
const STARTS_WITHIN_MS = 3_000;

/** One lane for each sub-user. The same random numbers give the same lanes. */
export function planLanes(accounts: ResellerAccounts, random: Random, tasksPerLane: number): Lane[] {
	let number = 0;
	return accounts.subUsers.map((subUser, index) => {
		const tasks = Array.from({ length: tasksPerLane }, (): Task => {
			const kind = MIX[random.below(MIX.length)] as Task['kind'];
			number++;
			return {
				number,
				kind,
				username: nameFor(kind),
				amountCents: kind === 'take_too_much' ? TOO_MUCH_CENTS + number : number,
				givenUpAfterMs: random.below(GIVEN_UP_ONE_IN) ? undefined : random.below(random.below(2) ? 20 : 3_000),
			};
		});
		return inSteps(tasks, random);

		function nameFor(kind: Task['kind']): string {
			if (kind === 'create') return `${subUser}.${number}`;
			return kind === 'create_taken' ? (accounts.takenUsernames[index] as string) : subUser;
		}
	});
}

/** Runs all lanes at the same time. Resolves with the operations in the order in which they ended. */
export async function runLanes(changer: Changer, lanes: readonly Lane[], random: Random): Promise<Operation[]> {
	const operations: Operation[] = [];
	const running = lanes.map(async (lane) => {
		await setTimeout(random.below(STARTS_WITHIN_MS));
		for (const step of lane) {
			const all = step.map(async (task) => operations.push(await operate(changer, task)));
			await Promise.all(all);
		}
	});
	await Promise.all(running);
	return operations;
}

/** Mostly one task at a time; sometimes two, but never two resets: then the test could not tell which key is valid. */
function inSteps(tasks: readonly Task[], random: Random): Lane {
	const steps: Task[][] = [];
	for (const task of tasks) {
		const last = steps.at(-1);
		const isReset = [last?.[0], task].every((one) => one?.kind === 'reset');
		if (last?.length === 1 && !isReset && random.below(4) === 0) last.push(task);
		else steps.push([task]);
	}
	return steps;
}
