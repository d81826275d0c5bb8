import type { StoppedMail } from '@bursar/contract/dashboard';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { focusOnMount } from '../../acts/panel.tsx';
import { CallError, change } from '../../calls/call.ts';
import { useChange } from '../../calls/use-change.ts';
import { Answered } from '../../page/answered.tsx';
import { Failure } from '../../page/failure.tsx';
import { Page } from '../../page/page.tsx';
import { mailKindTexts, stopMailTexts } from './texts.ts';

/**
 * The page that the link of a mail opens. Opening it changes nothing: mail programs open links to look at them. The link
 * stands in the query, because mail programs send it with POST to the same address.
 */
export function StopMailPage() {
	const link = window.location.search.slice(1);
	const query = useQuery({
		queryKey: ['stop mail', link],
		queryFn: () => change('/mail/link', { link }),
		staleTime: Number.POSITIVE_INFINITY,
	});
	return (
		<Page title={stopMailTexts.title}>
			{query.error instanceof CallError && query.error.code === 'invalid_link' ? (
				<Text>{stopMailTexts.badLink}</Text>
			) : (
				<Answered query={query}>{(found) => <Question link={link} found={found} />}</Answered>
			)}
			<Text size="sm">
				<Anchor component={Link} href="/account">
					{stopMailTexts.toAccount}
				</Anchor>
			</Text>
		</Page>
	);
}

/** Asks once. To stop again what is stopped changes nothing, so a lost answer may be sent again. */
function Question({ link, found }: { readonly link: string; readonly found: StoppedMail }) {
	const stopping = useChange('/mail/stop');
	const [isStopped, setStopped] = useState(!found.wanted);
	const about = mailKindTexts[found.mail].name;

	async function stop() {
		const answer = await stopping.run({ link });
		if (answer) setStopped(true);
	}

	if (isStopped) {
		return (
			<Text tabIndex={-1} ref={focusOnMount} style={{ outline: 'none' }}>
				{stopMailTexts.stopped(about)}
			</Text>
		);
	}
	return (
		<Stack align="flex-start">
			<Text>{stopMailTexts.question(about)}</Text>
			<Text size="sm" c="dimmed">
				{stopMailTexts.effect}
			</Text>
			<Failure error={stopping.failure} />
			<Button loading={stopping.isBusy} onClick={() => void stop()}>
				{stopMailTexts.stop}
			</Button>
		</Stack>
	);
}
