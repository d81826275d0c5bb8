import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CallError } from '../../calls/call.ts';
import { useSendOnce } from '../../calls/use-change.ts';
import { useMay } from '../../calls/use-may.ts';
import { Failure } from '../../page/failure.tsx';
import { keysCsv, readKeys } from './keys.ts';
import { saveFile } from './outcomes.ts';
import type { Run } from './run.ts';
import { manyTexts } from './texts.ts';

interface Props {
	readonly run: Run;
	readonly isRunning: boolean;
}

/** Saves the proxy auth keys of the sub-users of a run that have new ones, once. They are kept nowhere on the page. */
export function KeysFile({ run, isRunning }: Props) {
	const { take, isBusy, failure, asked, missing } = useKeysFile(run);
	const may = useMay('/sub-users/show-keys');
	const changed = run.lines.filter(({ outcome }) => outcome.state === 'done').map(({ username }) => username);
	const wanted = changed.filter((username) => !asked.has(username));
	if (isRunning || !may || changed.length === 0) return null;
	return (
		<Stack gap={4}>
			{wanted.length > 0 && (
				<Button variant="default" w="fit-content" loading={isBusy} onClick={() => void take(wanted)}>
					{manyTexts.keysFile(wanted.length)}
				</Button>
			)}
			<Text size="sm" c="dimmed" role="status">
				{wanted.length > 0 ? manyTexts.keysOnce : manyTexts.keysTold}
				{missing > 0 && ` ${manyTexts.keysMissing(missing)}`}
			</Text>
			<Failure error={failure} />
		</Stack>
	);
}

function useKeysFile({ operation }: Run) {
	const sendOnce = useSendOnce();
	const [asked, setAsked] = useState<ReadonlySet<string>>(new Set());
	const [missing, setMissing] = useState(0);
	const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure?: CallError | undefined }>({
		isBusy: false,
	});

	async function take(usernames: readonly string[]): Promise<void> {
		setState({ isBusy: true });
		try {
			const keys = await readKeys(usernames, (body) => sendOnce('/sub-users/show-keys', body));
			setState({ isBusy: false });
			if (!keys) return;
			saveFile(`${operation}-keys.csv`, keysCsv(keys));
			setMissing(usernames.length - keys.length);
			setAsked(new Set([...asked, ...usernames]));
		} catch (failure) {
			setState({ isBusy: false, failure: failure as CallError });
		}
	}
	return { ...state, failure: state.failure, take, asked, missing };
}
