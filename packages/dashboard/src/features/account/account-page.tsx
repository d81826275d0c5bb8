import type { Account, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../acts/dialog.tsx';
import { useRead } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { OwnActsSection } from '../acts/own-acts-section.tsx';
import { RecoveryCodes } from '../factors/recovery-codes.tsx';
import { factorTexts } from '../factors/texts.ts';
import { MailSection } from '../mail/mail-section.tsx';
import { CodesSection } from './codes-section.tsx';
import { hasFewRecoveryCodes, hasNoFactor } from './factors-left.ts';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { accountTexts } from './texts.ts';
import { useRefreshAccount } from './use-account.ts';

/** The person's own account. */
export function AccountPage() {
	const query = useRead('/account', {});
	const refresh = useRefreshAccount();
	/** Recovery codes that are shown once. They exist here and nowhere else. */
	const [codes, setCodes] = useState<readonly string[]>([]);

	function take(answer: NewRecoveryCodes) {
		setCodes(answer.recovery_codes);
		void refresh(answer);
	}

	const account = query.data;
	return (
		<Page
			title={pageNames.account}
			lead={account && accountTexts.lead(account.email, account.reseller ?? accountTexts.operator)}
		>
			<Answered query={query}>
				{(answer) => (
					<>
						<AccountWarnings account={answer} />
						<Columns least={300}>
							<PasswordSection email={answer.email} />
							<CodesSection account={answer} onAdded={take} />
							<RecoverySection account={answer} onMade={({ recovery_codes }) => setCodes(recovery_codes)} />
						</Columns>
						<PasskeysSection account={answer} onAdded={take} />
						<SessionsSection sessions={answer.sessions} />
						<MailSection email={answer.email} />
						<OwnActsSection />
					</>
				)}
			</Answered>
			<RecoveryDialog codes={codes} onStored={() => setCodes([])} />
		</Page>
	);
}

/** What makes the account weak, or could lock the person out. */
function AccountWarnings({ account }: { readonly account: Account }) {
	if (hasNoFactor(account)) {
		return (
			<Alert color="yellow" title={accountTexts.noFactorTitle}>
				{accountTexts.noFactor}
			</Alert>
		);
	}
	if (!hasFewRecoveryCodes(account)) return null;
	return (
		<Alert
			color="yellow"
			title={
				account.recovery_codes === 0 ? accountTexts.noCodesTitle : accountTexts.fewCodesTitle(account.recovery_codes)
			}
		>
			{accountTexts.fewCodes}
		</Alert>
	);
}

interface Props {
	/** Empty if there are none to show. */
	readonly codes: readonly string[];
	readonly onStored: () => void;
}

/** Shows new recovery codes once. Only the button that says that they are stored closes it. */
function RecoveryDialog({ codes, onStored }: Props) {
	return (
		<Dialog
			opened={codes.length > 0}
			onClose={() => {}}
			withCloseButton={false}
			title={factorTexts.recoveryTitle}
			transitionProps={{ exitDuration: 0 }}
		>
			<Stack>
				<Text size="sm">{factorTexts.recoveryLead}</Text>
				<RecoveryCodes codes={codes} onStored={onStored} />
			</Stack>
		</Dialog>
	);
}
