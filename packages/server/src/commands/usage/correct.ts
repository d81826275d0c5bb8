import type { UsageCorrection } from '../../domain/operators/usage-correction.ts';
import type { PersonFacts } from '../../domain/people/person-facts.ts';
import { isReference } from '../../domain/reference.ts';
import { isShortText } from '../../domain/short-text.ts';
import { type Bytes, isCounter, usageDayOf } from '../../domain/usage.ts';
import { type CallersCommand, callersVerb, type PersonDecision, refused } from '../person-verb.ts';

export interface CorrectUsage extends Omit<UsageCorrection, 'reseller' | 'atMs'>, CallersCommand {
	readonly kind: 'correct_usage';
	/** The reseller of the account. Absent for the command line, which names the account alone. */
	readonly reseller?: string | undefined;
}

/** The bytes of the day now. `repeated`: the reference was used before for the same, and nothing was changed. */
interface Corrected extends Bytes {
	readonly ok: true;
	readonly repeated: boolean;
}

type CorrectionRefusal =
	| 'invalid_reference'
	| 'invalid_reason'
	| 'invalid_bytes'
	| 'unknown_username'
	| 'reference_conflict'
	| 'day_ahead'
	| 'too_few_bytes'
	| 'too_many_bytes';

const correction = callersVerb<CorrectUsage, Corrected, CorrectionRefusal>({
	kind: 'correct_usage',
	calls: ['/operator/usage/correct'],
	needs({ reference, username, day }) {
		return isReference(reference) ? { correction: { reference, username, day } } : {};
	},
	decide: decideCorrection,
});

/**
 * Adds bytes to a day of an account, or takes them away. A reference counts once: a repeat with the same content changes
 * nothing, so it is no act.
 */
export const correctUsage: typeof correction = {
	...correction,
	changesUsageOf: ({ username }) => [username],
	decide(facts, command, nowMs) {
		const decision = correction.decide(facts, command, nowMs);
		const { outcome } = decision;
		return outcome.ok && outcome.repeated ? { outcome, effects: [] } : decision;
	},
};

function decideCorrection(
	{ correction, usage }: PersonFacts,
	{ kind: _, reseller: named, by: _by, unattended: _commandLine, ...command }: CorrectUsage,
	nowMs: number,
): PersonDecision<Corrected, CorrectionRefusal> {
	const { reference, username, day, bytesUp, bytesDown } = command;
	if (!isReference(reference)) return refused('invalid_reference');
	if (!isShortText(command.reason, true)) return refused('invalid_reason');
	if (!Number.isSafeInteger(bytesUp) || !Number.isSafeInteger(bytesDown)) return refused('invalid_bytes');
	if (bytesUp === 0 && bytesDown === 0) return refused('invalid_bytes');
	if (!usage || (named !== undefined && named !== usage.reseller)) return refused('unknown_username');
	const { reseller, ofAccount, ofReseller } = usage;
	if (correction) {
		const isSame = username === correction.username && day === correction.day;
		if (!isSame || bytesUp !== correction.bytesUp || bytesDown !== correction.bytesDown) {
			return refused('reference_conflict');
		}
		return { outcome: { ok: true, repeated: true, ...ofAccount }, effects: [] };
	}
	if (day > usageDayOf(nowMs)) return refused('day_ahead');
	const after = { bytesUp: ofAccount.bytesUp + bytesUp, bytesDown: ofAccount.bytesDown + bytesDown };
	if (after.bytesUp < 0 || after.bytesDown < 0) return refused('too_few_bytes');
	const sums = [after.bytesUp, after.bytesDown, ofReseller.bytesUp + bytesUp, ofReseller.bytesDown + bytesDown];
	if (!sums.every(isCounter)) return refused('too_many_bytes');
	return {
		outcome: { ok: true, repeated: false, ...after },
		effects: [{ kind: 'correct_usage', correction: { ...command, reseller, atMs: nowMs } }],
	};
}
