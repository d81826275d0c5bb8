import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';

type StepsDependencies = Pick<DashboardDependencies, 'store' | 'mail' | 'makesBackups'>;

/** The lists of what new people do first. They are read from what is there, and nothing about them is stored. */
export function firstStepsRoutes(calls: Calls, { store, mail, makesBackups }: StepsDependencies): void {
	calls.read('/first-steps', async (_query, call) => {
		const { person, passkeys } = call.caller.record;
		const [{ subUser, ...done }, choices] = await Promise.all([
			store.readResellerSteps(resellerOf(call), person.id),
			mail && store.findMailChoices(person.id),
		]);
		const warning_mail = choices ? choices.low_balance : null;
		return { data: { sub_user: subUser, ...done, warning_mail, passkey: passkeys.length > 0 } };
	});

	calls.read('/operator/first-steps', async (_query, { caller: { record } }) => {
		const [{ operator, topUp, ...done }, { lastBackupAtMs }] = await Promise.all([
			store.readServiceSteps(record.person.id),
			store.readState(),
		]);
		const factors = record.passkeys.length + (record.codes ? 1 : 0);
		return {
			data: {
				second_way_in: operator || (factors > 1 && record.recoveryCodes.length > 0),
				backup: makesBackups ? lastBackupAtMs !== undefined : null,
				mail: mail !== undefined,
				top_up: topUp,
				...done,
			},
		};
	});
}
