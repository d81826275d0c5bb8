import type { Account, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { Section } from '../../page/section.tsx';
import { hasNoFactor } from './factors-left.ts';
import { accountTexts } from './texts.ts';
import { useRefreshAccount } from './use-account.ts';

interface Props {
	readonly account: Account;
	readonly onMade: (answer: NewRecoveryCodes) => void;
}

/** How many recovery codes are left, and a button that makes new ones. */
export function RecoverySection({ account, onMade }: Props) {
	const refresh = useRefreshAccount();
	const isNeeded = !hasNoFactor(account);
	return (
		<Section
			title={accountTexts.recovery}
			lead={accountTexts.recoveryLead}
			actions={
				<ActDialog
					path="/account/recovery-codes"
					done={async (answer) => {
						await refresh(answer);
						if (answer) onMade(answer);
					}}
					title={accountTexts.newRecoveryTitle}
					button={(open) =>
						isNeeded && (
							<Button variant="default" onClick={open}>
								{accountTexts.newRecovery}
							</Button>
						)
					}
				>
					{(act) => (
						<ActForm act={act} body={{}} action={accountTexts.newRecovery} repeated={accountTexts.newRecoveryLost}>
							<Text size="sm">{accountTexts.newRecoveryEnds}</Text>
						</ActForm>
					)}
				</ActDialog>
			}
		>
			<Text>{isNeeded ? accountTexts.recoveryLeft(account.recovery_codes) : accountTexts.noRecovery}</Text>
		</Section>
	);
}
