import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { frameTexts } from '../texts/frame.ts';
import classes from './page.module.css';
import { PageShown } from './page-shown.ts';

interface Props {
	readonly title: string;
	/** One or two sentences below the title. */
	readonly lead?: ReactNode;
	/** Buttons beside the title. */
	readonly actions?: ReactNode;
	readonly children?: ReactNode;
}

/** A page or a step of one: it names the document, and takes the focus when it replaces another one. */
export function Page({ title, lead, actions, children }: Props) {
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
			<Group justify="space-between" align="flex-start" gap="md">
				<Stack gap={6} className={classes.heading}>
					<Title order={1} size="h2" ref={heading} tabIndex={-1} className={classes.title}>
						{title}
					</Title>
					{lead !== undefined && <Text c="dimmed">{lead}</Text>}
				</Stack>
				{actions}
			</Group>
			{children}
		</Stack>
	);
}
