import type { Account, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { Section } from '../../page/section.tsx';
import { hasNoFactor } from './factors-left.ts';
import { accountTexts } from './texts.ts';
import { useAccountAct } from './use-account.ts';

interface Props {
	readonly account: Account;
	readonly onMade: (answer: NewRecoveryCodes) => void;
}

/** How many recovery codes are left, and a button that makes new ones. */
export function RecoverySection({ account, onMade }: Props) {
	const change = useAccountAct('/account/recovery-codes');
	const isNeeded = !hasNoFactor(account);

	async function send() {
		const answer = await change.send({});
		if (answer) onMade(answer);
	}

	return (
		<Section
			title={accountTexts.recovery}
			lead={accountTexts.recoveryLead}
			actions={
				isNeeded && (
					<Button variant="default" onClick={change.open}>
						{accountTexts.newRecovery}
					</Button>
				)
			}
		>
			<Text>{isNeeded ? accountTexts.recoveryLeft(account.recovery_codes) : accountTexts.noRecovery}</Text>
			<ActDialog act={change} title={accountTexts.newRecoveryTitle}>
				<ActForm act={change} onSubmit={send} action={accountTexts.newRecovery} repeated={accountTexts.newRecoveryLost}>
					<Text size="sm">{accountTexts.newRecoveryEnds}</Text>
				</ActForm>
			</ActDialog>
		</Section>
	);
}
