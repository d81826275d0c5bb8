import type { Account } from '@bursar/contract/dashboard';
import { Alert } from '@mantine/core';
import { accountTexts } from '../../../texts/account.ts';
import { hasFewRecoveryCodes, hasNoFactor } from '../factors-left.ts';

/** What makes the account weak, or could lock the person out. */
export function AccountWarnings({ account }: { readonly account: Account }) {
	if (hasNoFactor(account)) {
		return (
			<Alert color="yellow" title={accountTexts.noFactorTitle}>
				{accountTexts.noFactor}
			</Alert>
		);
	}
	if (!hasFewRecoveryCodes(account)) return null;
	return (
		<Alert color="yellow" title={accountTexts.fewCodesTitle(account.recovery_codes)}>
			{accountTexts.fewCodes}
		</Alert>
	);
}
