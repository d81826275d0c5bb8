import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { frameTexts } from '../texts/frame.ts';
import { PageShown } from './page-shown.ts';

interface Props {
	readonly title: string;
	/** One or two sentences below the title. */
	readonly lead?: ReactNode;
	readonly children?: ReactNode;
}

/** A page or a step of one: it names the document, and takes the focus when it replaces another one. */
export function Page({ title, lead, children }: Props) {
	const heading = useRef<HTMLHeadingElement>(null);
	const isShown = useContext(PageShown);
	// A new title is a new step of the page.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above.
	useEffect(() => {
		if (isShown.current) heading.current?.focus();
		isShown.current = true;
	}, [title, isShown]);

	return (
		<Stack gap="xl">
			<title>{frameTexts.title(title)}</title>
			<Stack gap={6}>
				<Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
					{title}
				</Title>
				{lead !== undefined && <Text c="dimmed">{lead}</Text>}
			</Stack>
			{children}
		</Stack>
	);
}
