import { hashSecret } from '../../../credentials.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { newCodesSecret, stepOfCode } from '../factors/one-time-codes.ts';
import { newRecoveryCodes, withRecoveryCodes } from '../factors/recovery-codes.ts';
import type { AccountDependencies } from './account-routes.ts';
import { accountAfterChange } from './account-view.ts';

const SETUP_LIFE_MS = 10 * 60_000;

type CodesDependencies = AccountDependencies & Pick<DashboardDependencies, 'pageSeal'>;

/** People set up one-time codes and recovery codes. */
export function codesRoutes(calls: Calls, dependencies: CodesDependencies): void {
	const { bank, sessions, pageSeal, nowMs } = dependencies;
	const needs = { withoutFactor: true };

	calls.change('/account/codes/setup', needs, async (_body, { asker }) => {
		const { id, email } = asker.record.person;
		const { secret, uri } = newCodesSecret(email);
		return { data: { secret, uri, setup: pageSeal.seal(`${nowMs()} ${secret}`, placeOf(id)) } };
	});

	calls.change('/account/codes', needs, async ({ act, setup, code }, question) => {
		const { asker } = question;
		const opened = openSetup(setup, asker.record.person.id);
		const step = opened && stepOfCode(code, opened.secret, nowMs());
		if (!opened || step === undefined) return { refused: 'wrong_code' };
		const { secret, ...used } = opened;
		const { codes, hashes } = newRecoveryCodes();
		const outcome = await bank.changePerson({
			kind: 'set_codes',
			...ownChange(question, sessions, { act, kind: 'set_codes' }),
			codes: { secret, lastStep: step },
			...used,
			recoveryCodes: hashes,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return withRecoveryCodes(outcome.madeRecoveryCodes ? codes : [], await accountAfterChange(asker, dependencies));
	});

	calls.change('/account/codes/remove', needs, async ({ act }, question) => {
		const outcome = await bank.changePerson({
			kind: 'remove_codes',
			...ownChange(question, sessions, { act, kind: 'remove_codes' }),
		});
		return outcome.ok ? accountAfterChange(question.asker, dependencies) : refusedBy(outcome);
	});

	calls.change('/account/recovery-codes', {}, async ({ act }, question) => {
		const { codes, hashes } = newRecoveryCodes();
		const outcome = await bank.changePerson({
			kind: 'set_recovery_codes',
			...ownChange(question, sessions, { act, kind: 'set_recovery_codes' }),
			recoveryCodes: hashes,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return withRecoveryCodes(codes, await accountAfterChange(question.asker, dependencies));
	});

	/** The secret of a setup that is this person's and not too old. It may have been used. */
	function openSetup(setup: string, person: string) {
		const text = openText(setup, person);
		const [madeAt, secret] = text?.split(' ') ?? [];
		const challengeExpiresAtMs = Number(madeAt) + SETUP_LIFE_MS;
		if (text === undefined || secret === undefined || nowMs() >= challengeExpiresAtMs) return undefined;
		// The sealed form of a text can be written in several ways.
		return { secret, challengeHash: hashSecret(`${placeOf(person)} ${text}`), challengeExpiresAtMs };
	}

	function openText(setup: string, person: string): string | undefined {
		try {
			return pageSeal.openOnce(setup, placeOf(person));
		} catch {
			return undefined;
		}
	}
}

function placeOf(person: string): string {
	return `codes-setup/${person}`;
}
