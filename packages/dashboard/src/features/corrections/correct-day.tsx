import type { DayOfAccount } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { Panel } from '../../acts/panel.tsx';
import { actTexts } from '../../acts/texts.ts';
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
	const takeOver = useTakeOver();
	return (
		<ActDialog
			path="/operator/usage/correct"
			done={() =>
				takeOver(undefined, ['/operator/usage', '/operator/usage/day', '/operator/bandwidth', '/operator/sub-user'])
			}
			title={correctionTexts.title}
			isWide
			button={(open) => (
				<Button variant="default" onClick={open}>
					{correctionTexts.action}
				</Button>
			)}
			answered={({ repeated, down, up }, { sent, close }) => (
				<Panel>
					<Text role="status">
						{repeated
							? correctionTexts.doneBefore(sent?.reference ?? '')
							: correctionTexts.done(bytesText(down), bytesText(up))}
					</Text>
					<Button onClick={close} style={{ alignSelf: 'flex-end' }}>
						{actTexts.close}
					</Button>
				</Panel>
			)}
		>
			{(act) => <CorrectionForm account={account} act={act} />}
		</ActDialog>
	);
}
