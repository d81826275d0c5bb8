import type { NewRecoveryCodes } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { useAccount, useNoteAccount } from '../features/account/api/use-account.ts';
import { AccountWarnings } from '../features/account/components/account-warnings.tsx';
import { ActsSection } from '../features/account/components/acts-section.tsx';
import { CodesSection } from '../features/account/components/codes-section.tsx';
import { PasskeysSection } from '../features/account/components/passkeys-section.tsx';
import { PasswordSection } from '../features/account/components/password-section.tsx';
import { RecoveryDialog } from '../features/account/components/recovery-dialog.tsx';
import { RecoverySection } from '../features/account/components/recovery-section.tsx';
import { SessionsSection } from '../features/account/components/sessions-section.tsx';
import { Answered } from '../frame/answered.tsx';
import { Page } from '../frame/page.tsx';
import { accountTexts } from '../texts/account.ts';
import { frameTexts } from '../texts/frame.ts';

/** The person's own account. */
export function Account() {
	const query = useAccount();
	const note = useNoteAccount();
	/** Recovery codes that are shown once. They exist here and nowhere else. */
	const [codes, setCodes] = useState<readonly string[]>([]);

	function take({ account, recovery_codes }: NewRecoveryCodes) {
		setCodes(recovery_codes);
		void note(account);
	}

	const account = query.data;
	return (
		<Page
			title={frameTexts.account}
			lead={account && accountTexts.lead(account.email, account.reseller ?? accountTexts.operator)}
		>
			<Answered query={query}>
				{(answer) => (
					<>
						<AccountWarnings account={answer} />
						<PasswordSection email={answer.email} />
						<PasskeysSection account={answer} onAdded={take} />
						<CodesSection account={answer} onAdded={take} />
						<RecoverySection account={answer} onMade={({ recovery_codes }) => setCodes(recovery_codes)} />
						<SessionsSection sessions={answer.sessions} />
						<ActsSection />
					</>
				)}
			</Answered>
			<RecoveryDialog codes={codes} onStored={() => setCodes([])} />
		</Page>
	);
}
