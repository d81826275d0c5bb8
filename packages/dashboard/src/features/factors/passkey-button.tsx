import type { Presence } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Stack } from '@mantine/core';
import { useChange } from '../../calls/use-change.ts';
import { Failure, FailureNote } from '../../page/failure.tsx';
import { usePasskeyQuestion } from './use-passkey-question.ts';

interface Props extends Pick<ButtonProps, 'variant' | 'children'> {
	/** What the passkey is for. */
	readonly path: '/sign-in/passkey' | '/proof/passkey';
	readonly onDone: (presence: Presence) => void;
}

/** Signs in or proves with a passkey. The browser shows which ones there are. */
export function PasskeyButton({ path, onDone, ...props }: Props) {
	const passkey = usePasskeyQuestion(`${path}/question`, 'use');
	const answer = useChange(path);

	async function use() {
		answer.clear();
		const response = await passkey.ask();
		const presence = response && (await answer.run({ response }));
		if (presence) onDone(presence);
	}

	return (
		<Stack>
			<Button
				{...props}
				fullWidth
				data-autofocus={path === '/proof/passkey' || undefined}
				loading={passkey.isBusy || answer.isBusy}
				onClick={use}
			/>
			{passkey.none && <FailureNote text={passkey.none} />}
			<Failure error={passkey.failure ?? answer.failure} />
		</Stack>
	);
}
