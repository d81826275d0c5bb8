import { decideForCaller } from '../people/caller.ts';
import { type PersonDecision, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import { isReason } from '../reason.ts';
import { isReference } from '../reference.ts';
import { isCounter, usageDayOf } from '../usage.ts';
import type { CorrectUsage } from './operator-command.ts';

/** A reference counts once. A repeat with the same content changes nothing. */
export function decideUsageCorrection(
	facts: PersonFacts,
	command: CorrectUsage,
	nowMs: number,
): PersonDecision<CorrectUsage> {
	const decision = decideForCaller(facts, command, nowMs, () => decideCorrection(facts, command, nowMs));
	const { outcome } = decision;
	// What changes nothing was not done, so it is no act.
	return outcome.ok && outcome.repeated ? { outcome, effects: [] } : decision;
}

function decideCorrection(
	{ correction, usage }: PersonFacts,
	{ kind: _, reseller: named, by: _by, commandLine: _commandLine, ...command }: CorrectUsage,
	nowMs: number,
): PersonDecision<CorrectUsage> {
	const { reference, username, day, bytesUp, bytesDown } = command;
	if (!isReference(reference)) return refused('invalid_reference');
	if (!isReason(command.reason, true)) return refused('invalid_reason');
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
