import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { Figure } from '../../page/figure.tsx';
import classes from './home.module.css';

interface Props {
	readonly title: string;
	/** The page that shows more, or on which the operator can act. */
	readonly link: { readonly href: string; readonly text: string };
	readonly number: string;
	/** A sentence or two below the number. */
	readonly note: ReactNode;
	/** The trend. */
	readonly children: ReactNode;
}

/** A number that is looked at often, with its trend. */
export function NumberCard({ title, link, number, note, children }: Props) {
	const titleId = useId();
	return (
		<Paper component="section" aria-labelledby={titleId} withBorder className={classes.card}>
			<Text component="h2" id={titleId} size="sm" fw={500} c="dimmed">
				{title}
			</Text>
			<Figure note={note}>{number}</Figure>
			{/* The trends of a line stand side by side. */}
			<Stack gap={10} mt="auto">
				{children}
				<Anchor component={Link} href={link.href} size="sm">
					{link.text}
				</Anchor>
			</Stack>
		</Paper>
	);
}
