import { hashSecret } from '../../../credentials.ts';
import { serviceName } from '../brand-view.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { newCodesSecret, stepOfCode } from '../factors/one-time-codes.ts';
import { newRecoveryCodes, withRecoveryCodes } from '../factors/recovery-codes.ts';
import type { AccountDependencies } from './account-routes.ts';
import { accountAfterChange } from './account-view.ts';

/** @bound A new secret for one-time codes, for one use: then it is refused. */
const SETUP_LIFE_MS = 10 * 60_000;

type CodesDependencies = AccountDependencies & Pick<DashboardDependencies, 'pageSeal' | 'brand'>;

/** People set up one-time codes and recovery codes. */
export function codesRoutes(calls: Calls, dependencies: CodesDependencies): void {
	const { bank, sessions, pageSeal, nowMs, brand } = dependencies;

	calls.change('/account/codes/setup', async (_body, { caller }) => {
		const { id, email } = caller.record.person;
		const { secret, uri } = newCodesSecret(email, serviceName(await brand.read()));
		return { data: { secret, uri, setup: pageSeal.seal(`${nowMs()} ${secret}`, contextOf(id)) } };
	});

	calls.change('/account/codes', async ({ act, setup, code }, call) => {
		const { caller } = call;
		const opened = openSetup(setup, caller.record.person.id);
		const step = opened && stepOfCode(code, opened.secret, nowMs());
		if (!opened || step === undefined) return { refused: 'wrong_code' };
		const { secret, ...used } = opened;
		const { codes, hashes } = newRecoveryCodes();
		const outcome = await bank.changePerson({
			kind: 'set_codes',
			...ownChange(call, sessions, { act, kind: 'set_codes' }),
			codes: { secret, lastStep: step },
			...used,
			recoveryCodes: hashes,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return withRecoveryCodes(outcome.madeRecoveryCodes ? codes : [], await accountAfterChange(caller, dependencies));
	});

	calls.change('/account/codes/remove', async ({ act }, call) => {
		const outcome = await bank.changePerson({
			kind: 'remove_codes',
			...ownChange(call, sessions, { act, kind: 'remove_codes' }),
		});
		return outcome.ok ? accountAfterChange(call.caller, dependencies) : refusedBy(outcome);
	});

	calls.change('/account/recovery-codes', async ({ act }, call) => {
		const { codes, hashes } = newRecoveryCodes();
		const outcome = await bank.changePerson({
			kind: 'set_recovery_codes',
			...ownChange(call, sessions, { act, kind: 'set_recovery_codes' }),
			recoveryCodes: hashes,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return withRecoveryCodes(codes, await accountAfterChange(call.caller, dependencies));
	});

	/** The secret of a setup that is this person's and not too old. It may have been used. */
	function openSetup(setup: string, person: string) {
		const text = openText(setup, person);
		const [madeAt, secret] = text?.split(' ') ?? [];
		const challengeExpiresAtMs = Number(madeAt) + SETUP_LIFE_MS;
		if (text === undefined || secret === undefined || nowMs() >= challengeExpiresAtMs) return undefined;
		// The sealed form of a text can be written in several ways.
		return { secret, challengeHash: hashSecret(`${contextOf(person)} ${text}`), challengeExpiresAtMs };
	}

	function openText(setup: string, person: string): string | undefined {
		try {
			return pageSeal.openOnce(setup, contextOf(person));
		} catch {
			return undefined;
		}
	}
}

function contextOf(person: string): string {
	return `codes-setup/${person}`;
}
