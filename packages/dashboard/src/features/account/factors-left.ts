import type { Account } from '@bursar/contract/dashboard';

/** The page asks for new recovery codes if so many or fewer are left. */
const FEW_RECOVERY_CODES = 3;

type Factors = Pick<Account, 'reseller' | 'one_time_codes' | 'recovery_codes'> & {
	readonly passkeys: readonly unknown[];
};

/** Whether only a password protects the account. */
export function hasNoFactor({ passkeys, one_time_codes }: Factors): boolean {
	return passkeys.length === 0 && !one_time_codes;
}

/** Whether this operator has a single second factor, which must stay. */
export function isLastFactor({ reseller, passkeys, one_time_codes }: Factors): boolean {
	return reseller === null && passkeys.length + Number(one_time_codes) === 1;
}

/** Whether a person with a second factor has so few recovery codes that losing the factor may lock the person out. */
export function hasFewRecoveryCodes(account: Factors): boolean {
	return !hasNoFactor(account) && account.recovery_codes <= FEW_RECOVERY_CODES;
}
