import type { PreviousToken } from '@bursar/contract/dashboard';
import { useServerNow } from '../../../api/use-server-now.ts';
import { type SecretClosing, SecretPanel } from '../../../frame/secret-panel.tsx';
import { tokenTexts } from '../../../texts/token.ts';
import { countdownOf } from '../countdown.ts';
import { deadlineText } from '../deadline-text.ts';

interface Props extends SecretClosing {
	readonly token: string;
	readonly previous: PreviousToken | null;
}

/** Shows a new token once. */
export function NewTokenPanel({ token, previous, ...closing }: Props) {
	return (
		<SecretPanel
			secret={token}
			label={tokenTexts.newLabel}
			intro={tokenTexts.newIntro}
			note={previous ? <Deadline previous={previous} /> : tokenTexts.allEnded}
			askTitle={tokenTexts.askTitle}
			ask={tokenTexts.ask}
			{...closing}
		/>
	);
}

function Deadline({ previous }: { readonly previous: PreviousToken }) {
	return deadlineText(countdownOf(previous, useServerNow(250)).secondsUntilExpiry);
}
