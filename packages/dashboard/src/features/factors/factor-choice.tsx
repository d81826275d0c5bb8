import type { CodesSetup, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { usePresence } from '../../calls/presence.ts';
import { useChange } from '../../calls/use-change.ts';
import { Failure } from '../../page/failure.tsx';
import { Page } from '../../page/page.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { CodesSetUp } from './codes-set-up.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { factorTexts } from './texts.ts';

type Step =
	| { readonly kind: 'choice' }
	| { readonly kind: 'codes'; readonly setup: CodesSetup }
	| { readonly kind: 'recovery'; readonly codes: readonly string[] };

interface Props {
	/** A factor was added, and its recovery codes were stored. */
	readonly onDone: () => void;
	/** Absent if the person must add a factor. */
	readonly onSkip?: (() => void) | undefined;
}

/** Adds a person's first second factor. */
export function FactorChoice({ onDone, onSkip }: Props) {
	const presence = usePresence();
	const setUp = useChange('/account/codes/setup');
	const [step, setStep] = useState<Step>({ kind: 'choice' });

	function showRecovery({ recovery_codes }: NewRecoveryCodes) {
		if (recovery_codes.length === 0) onDone();
		else setStep({ kind: 'recovery', codes: recovery_codes });
	}
	async function beginCodes() {
		const setup = await setUp.run({});
		if (setup) setStep({ kind: 'codes', setup });
	}

	if (step.kind === 'recovery') {
		return (
			<Page title={factorTexts.recoveryTitle} lead={factorTexts.recoveryLead}>
				<RecoveryCodes codes={step.codes} onStored={onDone} />
			</Page>
		);
	}
	if (step.kind === 'codes') {
		return (
			<Page title={factorTexts.codesTitle}>
				<CodesSetUp setup={step.setup} onDone={showRecovery} onCancel={() => setStep({ kind: 'choice' })} />
			</Page>
		);
	}
	return (
		<Page title={factorTexts.title} lead={onSkip ? factorTexts.lead : factorTexts.leadRequired}>
			{presence.data?.passkeys && (
				<Factor title={factorTexts.passkeyTitle} lead={factorTexts.passkeyLead}>
					<AddPasskey onAdded={showRecovery} />
				</Factor>
			)}
			<Factor title={factorTexts.codesTitle} lead={factorTexts.codesLead}>
				<Failure error={setUp.failure} />
				<Button variant={presence.data?.passkeys ? 'default' : 'filled'} loading={setUp.isBusy} onClick={beginCodes}>
					{factorTexts.setUpCodes}
				</Button>
			</Factor>
			{onSkip && (
				<Button variant="subtle" onClick={onSkip}>
					{factorTexts.skip}
				</Button>
			)}
		</Page>
	);
}

interface FactorProps {
	readonly title: string;
	readonly lead: string;
	readonly children: ReactNode;
}

function Factor({ title, lead, children }: FactorProps) {
	return (
		<Paper withBorder p="lg">
			<Stack>
				<Stack gap={4}>
					<Title order={2} size="h4">
						{title}
					</Title>
					<Text size="sm" c="dimmed">
						{lead}
					</Text>
				</Stack>
				{children}
			</Stack>
		</Paper>
	);
}
