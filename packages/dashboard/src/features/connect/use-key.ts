import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { newActId } from '../../acts/act.ts';
import { useChange } from '../../calls/use-change.ts';

/**
 * The proxy auth key of an account. It is read when it is first shown or copied, and the service records that. It
 * exists only here, until it is hidden or the page is left. Use it in a component with the account as its key.
 */
export function useKey(username: string) {
	const question = useChange('/sub-users/show-key');
	const [key, setKey] = useState<string>();
	const [isShown, setShown] = useState(false);

	function hide() {
		setKey(undefined);
		setShown(false);
	}
	useWindowEvent('pagehide', hide);

	async function read(): Promise<string | undefined> {
		if (key !== undefined) return key;
		const answer = await question.run({ act: newActId(), username });
		if (answer) setKey(answer.proxy_authkey);
		return answer?.proxy_authkey;
	}
	async function show() {
		if ((await read()) !== undefined) setShown(true);
	}
	return { shown: isShown ? key : undefined, read, show, hide, isBusy: question.isBusy, failure: question.failure };
}
