import type { Account, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { Dialog } from '../../../frame/dialog.tsx';
import { DialogForm } from '../../../frame/dialog-form.tsx';
import { Section } from '../../../frame/section.tsx';
import { accountTexts } from '../../../texts/account.ts';
import { useAccountChange } from '../api/use-account-change.ts';
import { hasNoFactor } from '../factors-left.ts';

interface Props {
	readonly account: Account;
	readonly onMade: (answer: NewRecoveryCodes) => void;
}

/** How many recovery codes are left, and a button that makes new ones. */
export function RecoverySection({ account, onMade }: Props) {
	const change = useAccountChange('/account/recovery-codes');
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
			<Dialog opened={change.isOpen} onClose={change.close} title={accountTexts.newRecoveryTitle}>
				<DialogForm change={change} onSubmit={send} action={accountTexts.newRecovery}>
					<Text size="sm">{accountTexts.newRecoveryEnds}</Text>
				</DialogForm>
			</Dialog>
		</Section>
	);
}
