import type { DayCorrection, DayCorrectionOutcome, DayOfAccount } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-form.tsx';
import { Panel } from '../../acts/panel.tsx';
import { actTexts } from '../../acts/texts.ts';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { bytesText } from '../../format/bytes.ts';
import { CorrectionForm } from './correction-form.tsx';
import { correctionTexts } from './texts.ts';

interface Props {
	/** Absent: the operator names it. */
	readonly account?: Omit<DayOfAccount, 'day'>;
}

/** A button with which an operator corrects the bandwidth of a day in a dialog. */
export function CorrectDay({ account }: Props) {
	const act = useAct('/operator/usage/correct');
	const takeOver = useTakeOver();
	const [done, setDone] = useState<DoneProps>();

	function open() {
		setDone(undefined);
		act.open();
	}
	async function send(correction: DayCorrection) {
		const outcome = await act.send(correction);
		if (outcome) setDone({ outcome, reference: correction.reference });
		await takeOver(undefined, ['/operator/usage', '/operator/usage/day', '/operator/bandwidth', '/operator/sub-user']);
	}

	return (
		<>
			<Button variant="default" onClick={open}>
				{correctionTexts.action}
			</Button>
			<ActDialog act={act} title={correctionTexts.title} size="lg">
				{done ? (
					<Done {...done} onClose={act.close} />
				) : (
					<CorrectionForm account={account} act={act} onSend={(correction) => void send(correction)} />
				)}
			</ActDialog>
		</>
	);
}

interface DoneProps {
	readonly outcome: DayCorrectionOutcome;
	readonly reference: string;
}

function Done({ outcome, reference, onClose }: DoneProps & { readonly onClose: () => void }) {
	return (
		<Panel>
			<Text role="status">
				{outcome.repeated
					? correctionTexts.doneBefore(reference)
					: correctionTexts.done(bytesText(outcome.down), bytesText(outcome.up))}
			</Text>
			<Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
				{actTexts.close}
			</Button>
		</Panel>
	);
}
