import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { frameTexts } from '../texts/frame.ts';

/** Whether a page was shown already. The first one leaves the focus where the browser puts it. */
let isFirst = true;

interface Props {
	readonly title: string;
	/** One or two sentences below the title. */
	readonly lead?: ReactNode;
	readonly children?: ReactNode;
}

/** A page or a step of one: it names the document, and takes the focus when it replaces another one. */
export function Page({ title, lead, children }: Props) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => {
		document.title = frameTexts.title(title);
		if (!isFirst) heading.current?.focus();
		isFirst = false;
	}, [title]);

	return (
		<Stack gap="xl">
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
