import type { Account, CodesSetup, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { Dialog } from '../../acts/dialog.tsx';
import { useChange } from '../../calls/use-change.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { Failure } from '../../page/failure.tsx';
import { Section } from '../../page/section.tsx';
import { CodesSetUp } from '../factors/codes-set-up.tsx';
import { factorTexts } from '../factors/texts.ts';
import { isLastFactor } from './factors-left.ts';
import { accountTexts } from './texts.ts';
import { useRefreshAccount } from './use-account.ts';

interface Props {
	readonly account: Account;
	readonly onAdded: (answer: NewRecoveryCodes) => void;
}

/** Sets up, replaces and removes one-time codes. */
export function CodesSection({ account, onAdded }: Props) {
	const setUp = useChange('/account/codes/setup');
	const refresh = useRefreshAccount();
	/** The new secret. It is dropped when the dialog closes. */
	const [setup, setSetup] = useState<CodesSetup>();
	const isOn = account.one_time_codes;

	function finish(answer: NewRecoveryCodes) {
		setSetup(undefined);
		onAdded(answer);
	}

	function buttons() {
		const setUpButton = (
			<Button variant="default" loading={setUp.isBusy} onClick={async () => setSetup(await setUp.run({}))}>
				{isOn ? accountTexts.replaceCodes : factorTexts.setUpCodes}
			</Button>
		);
		if (!isOn) return setUpButton;
		return (
			<ActDialog
				path="/account/codes/remove"
				done={refresh}
				title={accountTexts.removeCodesTitle}
				button={(open) => (
					<ExplainedButton
						before={setUpButton}
						variant="outline"
						color="red"
						aria-label={accountTexts.removeOne(factorTexts.codesTitle)}
						reason={isLastFactor(account) ? accountTexts.lastFactor : undefined}
						onClick={open}
					>
						{accountTexts.remove}
					</ExplainedButton>
				)}
			>
				{(act) => (
					<ActForm act={act} body={{}} action={accountTexts.remove} isDangerous>
						<Text size="sm">{accountTexts.removeCodes}</Text>
					</ActForm>
				)}
			</ActDialog>
		);
	}

	return (
		<Section title={factorTexts.codesTitle} lead={factorTexts.codesLead} actions={buttons()}>
			<Text role="status">{isOn ? accountTexts.codesOn : accountTexts.codesOff}</Text>
			<Failure error={setUp.failure} />
			<Dialog
				opened={setup !== undefined}
				onClose={() => setSetup(undefined)}
				title={factorTexts.codesTitle}
				transitionProps={{ exitDuration: 0 }}
			>
				{setup && <CodesSetUp setup={setup} onDone={finish} onCancel={() => setSetup(undefined)} />}
			</Dialog>
		</Section>
	);
}
